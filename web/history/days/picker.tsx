import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contracts/lib/languages.ts'
import { HISTORY_MAX_DAYS } from '#contracts/positions.ts'
import { addDays, type Day, isValidPeriod, midnight, type Period } from '#web/lib/period.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import classes from './picker.module.css'
import '@mantine/dates/styles.css'
import { DatePicker } from '@mantine/dates'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { markedDaysQuery } from '#web/history/track/history.queries.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'

type DateFormProps = { isDay: boolean; period: Period; today: Day; choose: (period: Period) => void }

function DateForm({ isDay, period, today, choose }: DateFormProps) {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const to = String(typed.get('to'))
    const next = { from: isDay ? to : String(typed.get('from')), to }
    setRefused(!isValidPeriod(next))
    if (isValidPeriod(next)) choose(next)
  }
  const field = (name: 'from' | 'to', label: string) => (
    <label className={classes.field}>
      {label}
      <input type="date" name={name} max={today} defaultValue={period[name]} aria-invalid={isRefused} />
    </label>
  )
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <div className={classes.fields}>
        {!isDay && field('from', t('history.pick.from'))}
        {field('to', isDay ? t('history.pick.date') : t('history.pick.to'))}
        <button type="submit" className={classes.show}>
          {t('history.pick.show')}
        </button>
      </div>
      <FormAlert>{isRefused ? t('history.invalid', { days: HISTORY_MAX_DAYS }) : null}</FormAlert>
    </form>
  )
}

type Props = { id: number; period: Period; today: Day; choose: (period: Period) => void }

export default function Picker({ id, period, today, choose }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'day' | 'period'>(period.from === period.to ? 'day' : 'period')
  return (
    <div className={classes.picker}>
      <SegmentedControl
        label={t('history.chooseDay')}
        value={kind}
        onChange={setKind}
        options={[
          { value: 'day', label: t('history.pick.day') },
          { value: 'period', label: t('history.pick.period') },
        ]}
      />
      {kind === 'day' && <Calendar id={id} day={period.to} today={today} choose={(day) => choose({ from: day, to: day })} />}
      {kind === 'period' && (
        <button type="button" className={classes.quick} onClick={() => choose({ from: addDays(today, -6), to: today })}>
          {t('history.pick.lastSevenDays')}
        </button>
      )}
      <DateForm key={kind} isDay={kind === 'day'} period={period} today={today} choose={choose} />
    </div>
  )
}

/** The calendar's names of months and weekdays; English is built in. */
const files = {
  fr: () => import('dayjs/locale/fr.js'),
  de: () => import('dayjs/locale/de.js'),
  es: () => import('dayjs/locale/es.js'),
  it: () => import('dayjs/locale/it.js'),
  nl: () => import('dayjs/locale/nl.js'),
  pt: () => import('dayjs/locale/pt.js'),
  sv: () => import('dayjs/locale/sv.js'),
  fi: () => import('dayjs/locale/fi.js'),
  hu: () => import('dayjs/locale/hu.js'),
  cs: () => import('dayjs/locale/cs.js'),
  ja: () => import('dayjs/locale/ja.js'),
} satisfies Record<Exclude<Language, 'en'>, () => Promise<unknown>>

const calendarLanguageQuery = (language: string) =>
  queryOptions({
    queryKey: ['history', 'calendar-language', language],
    queryFn: async () => {
      await files[language as keyof typeof files]?.()
      return language
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

type CalendarProps = { id: number; day: Day; today: Day; choose: (day: Day) => void }

const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

function Calendar({ id, day, today, choose }: CalendarProps) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const [month, setMonth] = useState(firstOfMonth(day))
  const locale = useQuery(calendarLanguageQuery(i18n.language)).data ?? 'en'
  const marked = useQuery(markedDaysQuery(id, month, today)).data
  const words = (date: Day) => {
    const name = formats.date(midnight(date))
    return marked?.has(date) ? t('history.pick.withData', { day: name }) : name
  }
  return (
    <DatePicker
      className={classes.calendar}
      fullWidth
      locale={locale}
      value={day}
      date={month}
      maxDate={today}
      highlightToday
      weekendDays={[]}
      onChange={(date) => choose(date ?? day)}
      onDateChange={(date) => setMonth(firstOfMonth(date))}
      getDayAriaLabel={words}
      getDayProps={(date) => ({ className: marked?.has(date) ? classes.marked : undefined })}
      ariaLabels={{
        previousMonth: t('history.pick.previousMonth'),
        nextMonth: t('history.pick.nextMonth'),
        previousYear: t('history.pick.previousYear'),
        nextYear: t('history.pick.nextYear'),
        monthLevelControl: t('history.pick.chooseMonth'),
        yearLevelControl: t('history.pick.chooseYear'),
      }}
    />
  )
}
