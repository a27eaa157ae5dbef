import { queryOptions } from '@tanstack/react-query'
import type { Language } from '#contracts/lib/constants.ts'

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

export const calendarLanguageQuery = (language: string) =>
  queryOptions({
    queryKey: ['history', 'calendar-language', language],
    queryFn: async () => {
      await files[language as keyof typeof files]?.()
      return language
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
