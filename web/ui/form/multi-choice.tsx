import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './multi-choice.module.css'

export type Option = { id: number; label: string; hint?: string | undefined; icon?: ReactNode }

type Props = {
  legend: string
  /** The field of the form that holds the ids, as text. */
  name: string
  options: readonly Option[]
  value: readonly number[]
  onChange: (value: number[]) => void
  required?: boolean
  error?: string | undefined
  /** What to say when none is chosen. */
  needed?: string
  /** What stands here instead of, or below, the options. */
  children?: ReactNode
}

/** From here on there is a word to search for. */
const MANY = 8

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** Several of many: boxes to tick in a list that scrolls, in the order of ticking. */
export function MultiChoice({ legend, name, options, value, onChange, required, error, needed, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [query, setQuery] = useState('')
  const shown = options.filter(({ label }) => plain(label).includes(plain(query.trim())))
  const fault = error && value.length === 0 ? (needed ?? error) : error
  const toggle = (option: number) => onChange(value.includes(option) ? value.filter((one) => one !== option) : [...value, option])
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
        {value.length > 0 && <span className={classes.count}>{value.length}</span>}
      </legend>
      {/* Stands for the boxes in the form: what they say, and where the focus goes when they say nothing. */}
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
      {options.length > MANY && (
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
                <input type="checkbox" checked={value.includes(option.id)} onChange={() => toggle(option.id)} />
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
