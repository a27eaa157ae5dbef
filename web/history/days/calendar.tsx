import '@mantine/dates/styles.css'
import { DatePicker } from '@mantine/dates'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contracts/lib/constants.ts'
import { markedDaysQuery } from '#web/history/track/history.queries.ts'
import { type Day, midnight } from '#web/history/track/period.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './calendar.module.css'

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

type Props = { id: number; day: Day; today: Day; choose: (day: Day) => void }

const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

export function Calendar({ id, day, today, choose }: Props) {
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
