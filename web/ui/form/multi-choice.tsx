import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldCase } from '#contracts/rules/reading/text.ts'
import classes from './multi-choice.module.css'

export type Option = { id: number; label: string; hint?: string | undefined; icon?: ReactNode }

type Props = {
  legend: string
  /** Name of the form field that contains the ids, separated by commas. */
  name: string
  options: readonly Option[]
  value: readonly number[]
  onChange: (value: number[]) => void
  required?: boolean
  /** Radio buttons: only one option can be chosen. */
  isSingle?: boolean
  error?: string | undefined
  /** Error when nothing is selected. */
  needed?: string
  /** Shown below the options, or instead of them. */
  children?: ReactNode
}

/** A search field is shown above this number of options. */
const SEARCH_THRESHOLD = 8

/** Further options are shown on request, because a box that scrolls within a page hides chosen ones. */
const MAX_SHOWN = 24

/** A list of checkboxes, initially chosen ones on top; values are in the order of selection. */
export function MultiChoice({ legend, name, options, value, onChange, required, isSingle = false, error, needed, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [query, setQuery] = useState('')
  // Initially chosen rows stay on top; a row that moved on each tick would escape the finger.
  const [first] = useState(value)
  const [isWhole, setWhole] = useState(false)
  const isFirst = ({ id: option }: Option) => first.includes(option)
  const ordered = [...options.filter(isFirst), ...options.filter((option) => !isFirst(option))]
  const found = ordered.filter(({ label }) => foldCase(label).includes(foldCase(query.trim())))
  const shown = isWhole ? found : found.slice(0, Math.max(MAX_SHOWN, first.length))
  const fault = error && value.length === 0 ? (needed ?? error) : error
  const toggle = (option: number) =>
    isSingle ? onChange([option]) : onChange(value.includes(option) ? value.filter((one) => one !== option) : [...value, option])
  return (
    <fieldset
      className={classes.group}
      aria-labelledby={id}
      aria-describedby={fault ? `${id}-error` : undefined}
      data-invalid={fault !== undefined || undefined}
    >
      <legend id={id}>
        {legend}
        {required && <span aria-hidden="true"> *</span>}
        {value.length > 0 && !isSingle && <span className={classes.count}>{value.length}</span>}
      </legend>
      {/* Represents the checkboxes in the form and passes focus on to them, e.g. when nothing is selected. */}
      <input
        className={classes.sum}
        name={name}
        value={value.join(',')}
        required={required}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        onFocus={() => list.current?.querySelector('input')?.focus()}
      />
      {options.length > SEARCH_THRESHOLD && (
        <input
          type="text"
          inputMode="search"
          autoComplete="off"
          className={classes.search}
          aria-label={`${t('trackers.searchShort')}: ${legend}`}
          placeholder={t('trackers.searchShort')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {shown.length > 0 && (
        <ul ref={list} className={classes.options}>
          {shown.map((option) => (
            <li key={option.id}>
              <label className={classes.option}>
                <input
                  type={isSingle ? 'radio' : 'checkbox'}
                  name={isSingle ? id : undefined}
                  checked={value.includes(option.id)}
                  onChange={() => toggle(option.id)}
                />
                {option.icon}
                <span>
                  {option.label}
                  {option.hint && <small>{option.hint}</small>}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {found.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {t('trackers.reset')} <span className={classes.count}>{found.length}</span>
        </button>
      )}
      {options.length > 0 && shown.length === 0 && <p className={classes.none}>{t('palette.empty')}</p>}
      {children}
      {fault && (
        <p id={`${id}-error`} className={classes.error}>
          {fault}
        </p>
      )}
    </fieldset>
  )
}
