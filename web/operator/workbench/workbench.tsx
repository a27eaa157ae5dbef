import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isFree } from './console-keys.tsx'
import classes from './workbench.module.css'

/** A list, and next to it the details of what is chosen; on narrow screens the details take the place of the list. */
export const Workbench = ({ children, details }: { children: ReactNode; details: ReactNode }) => (
  <div className={classes.bench} data-open={details !== null || undefined}>
    <div className={classes.list}>{children}</div>
    {details}
  </div>
)

/** The height of the bar above the screen. */
const BAR = 56

type DetailsProps = { label: string; onClose: () => void; children: ReactNode }

export function Details({ label, onClose, children }: DetailsProps) {
  const { t } = useTranslation()
  const aside = useRef<HTMLElement>(null)
  // On narrow screens it takes the place of the list, which may have been scrolled; next to the list the page stays where it is.
  useEffect(() => {
    const top = aside.current?.getBoundingClientRect().top ?? 0
    if (top < BAR || top > window.innerHeight / 2) aside.current?.scrollIntoView({ block: 'start' })
  }, [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => event.key === 'Escape' && isFree(event) && onClose()
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <aside ref={aside} className={classes.details} aria-label={label}>
      <span className={classes.close}>
        <IconButton label={t('action.close')} Icon={IconX} onClick={onClose} />
      </span>
      <Part key={label}>{children}</Part>
    </aside>
  )
}

type SearchProps = { label: string; placeholder?: string; value: string; onFind: (text: string) => void }

/** A search field, to which the key `/` moves the focus. */
export function SearchForm({ label, placeholder, value, onFind }: SearchProps) {
  const { t } = useTranslation()
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onFind(String(new FormData(event.currentTarget).get('search')).trim())
  }
  return (
    <search>
      <form className={classes.search} onSubmit={find}>
        <TextField
          key={value}
          name="search"
          label={label}
          {...(placeholder && { placeholder })}
          defaultValue={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
        />
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
  <fieldset className={classes.pills} aria-label={label}>
    {values.map((each) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
        {wordOf(each)}
      </button>
    ))}
  </fieldset>
)

export type Fact = readonly [label: string, value: ReactNode]

/** Labels with their values; those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
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

export const Badges = ({ children }: { children: ReactNode }) => <p className={classes.badges}>{children}</p>

export const Note = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>

export type Line = { key: string; label: ReactNode; end?: ReactNode }

/** A section of lines, each with a label and an amount or a state at its end; nothing without lines. */
export const Lines = ({ title, lines }: { title: string; lines: readonly Line[] }) =>
  lines.length > 0 && (
    <Section title={title}>
      <ul className={classes.lines}>
        {lines.map(({ key, label, end }) => (
          <li key={key}>
            <span>{label}</span>
            {end && <span>{end}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
