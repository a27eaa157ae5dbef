import type { TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazy } from '#web/lib/chunk.ts'
import { formatDateText, formatDateTimeText, parseDateText, parseDateTimeText } from '#web/lib/i18n/date-text.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './date-field.module.css'
import { TextField } from './fields.tsx'

const Calendar = lazy(() => import('./calendar.tsx'))

const NOON = 'T12:00'

type Props = Omit<TextInputProps, 'type' | 'description' | 'onChange' | 'value' | 'defaultValue' | 'min' | 'max'> & {
  type: 'date' | 'datetime-local'
  /** `2026-02-24`, or `2026-02-24T15:00`, in the user's time zone. */
  defaultValue?: string
  /** The first and the last value that the calendar offers. */
  min?: string
  max?: string
  onValue?: (value: string) => void
}

/**
 * A date, or a date with a time, typed in the digits of the portal's language and the browser's region, or picked from a calendar. The form
 * receives it as `2026-02-24` or `2026-02-24T15:00`; a text that is no date is sent as it is, so that the form refuses it.
 */
export function DateField({ type, defaultValue = '', min, max, onValue, ...props }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const locale = useLocale()
  const isDay = type === 'date'
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const write = (value: string) => (value === '' ? '' : isDay ? formatDateText(value, locale) : formatDateTimeText(value, locale))
  const [text, setText] = useState(() => write(defaultValue))
  const read = isDay ? parseDateText(text, locale) : parseDateTimeText(text, locale)
  const valueIn = (typed: string) => (isDay ? parseDateText(typed, locale) : parseDateTimeText(typed, locale)) ?? typed.trim()
  const change = (field: HTMLInputElement) => {
    // At once, because the form reads its values in the same event.
    field.dataset.value = valueIn(field.value)
    setText(field.value)
    onValue?.(field.dataset.value)
  }
  const choose = (day: string | null) => {
    setOpen(false)
    const field = input.current
    if (day && field) typeInto(field, write(isDay ? day : `${day}${read?.slice(10) ?? NOON}`))
    field?.focus()
  }
  const words = read && (isDay ? formats.date(new Date(`${read}${NOON}`)) : formats.dateTime(new Date(read)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the calendar from anywhere within
    <div className={classes.field} onKeyDown={onKeyDown}>
      <TextField
        {...props}
        ref={input}
        value={text}
        data-value={valueIn(text)}
        onChange={({ target }) => change(target)}
        placeholder={write(isDay ? '2026-12-31' : '2026-12-31T18:00').replace(/\d/g, '0')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={words || undefined}
        rightSectionWidth={46}
        rightSection={
          <button
            type="button"
            className={classes.open}
            aria-expanded={isOpen}
            aria-label={t('calendar.open')}
            onClick={() => setOpen(!isOpen)}
          >
            <IconCalendar size={20} aria-hidden="true" />
          </button>
        }
      />
      {isOpen && (
        <Suspense fallback={<SkeletonBlock height={330} />}>
          <Calendar
            value={read?.slice(0, 10) ?? null}
            {...(read && { defaultDate: read.slice(0, 10) })}
            minDate={min?.slice(0, 10)}
            maxDate={max?.slice(0, 10)}
            onChange={(day) => choose(typeof day === 'string' ? day : null)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Changes a field as typing does, so that its form learns of it. */
function typeInto(field: HTMLInputElement, text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
