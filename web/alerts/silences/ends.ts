import { useQuery } from '@tanstack/react-query'
import { addDays, type Day, localDay } from '#contracts/rules/local-day.ts'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { instantOf } from '#contracts/rules/tracking/rules/schedule.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'

/** Formats a future instant: today as a time, within six days with the weekday, later as a date. */
export function useWhen() {
  const formats = useFormats()
  return (instant: string) => {
    const [at, now] = [new Date(instant), clock.now()]
    if (at.toDateString() === now.toDateString()) return formats.time(instant)
    return at.getTime() - now.getTime() < 6 * DAY_MS ? formats.weekdayTime(instant) : formats.dateTime(instant)
  }
}

/** When a silence can end, as people say it. */
export const ENDS = ['hour', 'evening', 'morning', 'sunday', 'date'] as const
export type End = (typeof ENDS)[number]

const EVENING = '20:00'
const MORNING = '07:00'

/** The time zone of the account; that of the browser while it is not known, or if the account has none. */
export const useAccountZone = () => useQuery(settingsQuery()).data?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** The instant of each end in a time zone; null if it has passed today. */
export function findEnd(end: Exclude<End, 'date'>, now: Date, zone: string): Date | null {
  if (end === 'hour') return new Date(now.getTime() + HOUR_MS)
  const today = localDay(now.getTime(), zone)
  if (end === 'morning') return at(addDays(today, 1), MORNING, zone)
  const evening = at(addDays(today, end === 'sunday' ? daysToSunday(today) : 0), EVENING, zone)
  return evening.getTime() - now.getTime() >= HOUR_MS ? evening : null
}

/** The next morning in a time zone, perhaps that of the same day. */
export function findNextMorning(now: Date, zone: string): Date {
  const today = localDay(now.getTime(), zone)
  const morning = at(today, MORNING, zone)
  return morning > now ? morning : at(addDays(today, 1), MORNING, zone)
}

const at = (day: Day, time: string, zone: string) => new Date(instantOf(day, time, zone))

const daysToSunday = (day: Day) => (7 - new Date(`${day}T00:00:00Z`).getUTCDay()) % 7
