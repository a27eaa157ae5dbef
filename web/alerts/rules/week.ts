import type { AlertSchedule } from '#contracts/alerts.ts'
import { formatClock } from '#contracts/rules/tracking/rules/rule-values.ts'

/** The days of the week from Monday; 1 January 2024 was one. */
export const listDays = (locale: string, weekday: 'long' | 'short' = 'long') => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, nth) => format.format(Date.UTC(2024, 0, nth + 1)))
}

/** "Mon, Tue and Sat, 08:00–18:00". */
export function formatSchedule({ days, from, to }: AlertSchedule, locale: string) {
  const names = listDays(locale, 'short')
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(days.flatMap((day) => names[day - 1] ?? []))
  if (from === to) return list
  const times = [from, to].map((time) => formatClock(locale, time)).join('–')
  return days.length === 7 ? times : `${list}, ${times}`
}
