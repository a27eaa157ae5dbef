import '@mantine/dates/styles.css'
import { DatePicker, type DatePickerProps, type DatePickerType } from '@mantine/dates'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contracts/lib/languages.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { midnight } from '#web/lib/period.ts'
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

const languageQuery = (language: string) =>
  queryOptions({
    queryKey: ['calendar-language', language],
    queryFn: async () => {
      await files[language as keyof typeof files]?.()
      return language
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A month of days in the portal's language; with the type `range` it chooses a first and a last day. Loaded when it is opened. */
export default function Calendar<T extends DatePickerType = 'default'>(props: DatePickerProps<T>) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const locale = useQuery(languageQuery(i18n.language)).data ?? 'en'
  return (
    <DatePicker<T>
      className={classes.calendar ?? ''}
      fullWidth
      locale={locale}
      highlightToday
      weekendDays={[]}
      getDayAriaLabel={(day) => formats.date(midnight(day))}
      ariaLabels={{
        previousMonth: t('calendar.previousMonth'),
        nextMonth: t('calendar.nextMonth'),
        previousYear: t('calendar.previousYear'),
        nextYear: t('calendar.nextYear'),
        monthLevelControl: t('calendar.chooseMonth'),
        yearLevelControl: t('calendar.chooseYear'),
      }}
      {...props}
    />
  )
}
