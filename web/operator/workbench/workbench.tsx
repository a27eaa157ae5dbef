import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './workbench.module.css'

/** A list, and next to it the details of what is chosen; on narrow screens the details take the place of the list. */
export const Workbench = ({ children, details }: { children: ReactNode; details: ReactNode }) => (
  <div className={classes.bench} data-open={details !== null || undefined}>
    <div className={classes.list}>{children}</div>
    {details}
  </div>
)

type DetailsProps = { label: string; onClose: () => void; children: ReactNode }

export function Details({ label, onClose, children }: DetailsProps) {
  const { t } = useTranslation()
  const aside = useRef<HTMLElement>(null)
  // Below the list on narrow screens, so what was chosen is brought into view.
  useEffect(() => aside.current?.scrollIntoView?.({ block: 'nearest' }), [])
  return (
    <aside ref={aside} className={classes.details} aria-label={label}>
      <span className={classes.close}>
        <IconButton label={t('action.close')} Icon={IconX} onClick={onClose} />
      </span>
      <Part key={label}>{children}</Part>
    </aside>
  )
}

type SearchProps = { label: string; value: string; onFind: (text: string) => void }

/** A search field; the key `/` moves the focus to it. */
export function SearchForm({ label, value, onFind }: SearchProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  useKeys({
    '/': () => {
      field.current?.focus()
      field.current?.select()
    },
  })
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onFind(String(new FormData(event.currentTarget).get('search')).trim())
  }
  return (
    <search>
      <form className={classes.search} onSubmit={find}>
        <TextField key={value} ref={field} name="search" label={label} defaultValue={value} autoComplete="off" />
        <Button type="submit" variant="default" h={44}>
          {t('operator.log.find')}
        </Button>
      </form>
    </search>
  )
}

type PillsProps<T extends string> = {
  label: string
  values: readonly T[]
  value: T
  wordOf: (value: T) => string
  onChange: (value: T) => void
}

/** Filters of which one holds. */
export const Pills = <T extends string>({ label, values, value, wordOf, onChange }: PillsProps<T>) => (
  <fieldset className={classes.pills}>
    <legend>{label}</legend>
    {values.map((each) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
        {wordOf(each)}
      </button>
    ))}
  </fieldset>
)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Single keys of a screen, which do nothing while somebody types or a dialog is open. */
function useKeys(keys: Record<string, () => void>) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = latest.current[event.key]
      if (!run || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

type MoveProps = { ids: readonly string[]; chosen: string | null; onChoose: (id: string) => void; onClose: () => void }

/** `j` and `k` choose the next and the previous row, Escape closes the details. */
export function RowKeys({ ids, chosen, onChoose, onClose }: MoveProps) {
  const { t } = useTranslation()
  const at = chosen === null ? -1 : ids.indexOf(chosen)
  const move = (by: number) => {
    const id = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (id !== undefined) onChoose(id)
  }
  useKeys({ j: () => move(1), k: () => move(-1), Escape: onClose })
  return (
    <p className={classes.keys}>
      <kbd>j</kbd> <kbd>k</kbd> {t('operator.workbench.move')} <kbd>/</kbd> {t('operator.workbench.search')}
    </p>
  )
}

export type Fact = readonly [label: string, value: ReactNode]

/** Labels with their values; those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const Buttons = ({ children }: { children: ReactNode }) => <div className={classes.buttons}>{children}</div>

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h3>{title}</h3>
    {children}
  </section>
)
