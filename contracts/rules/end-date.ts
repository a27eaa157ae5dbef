import { type Instant, millis } from './instant.ts'

/**
 * Returns the end of a subscription after buying `months` and `extra` free ones: counted from its current end, or from now if that has
 * passed.
 */
export const newEndDate = (now: Date, subEndDate: Instant | null, months: number, extra: number): Date =>
  addMonths(new Date(Math.max(now.getTime(), subEndDate === null ? 0 : millis(subEndDate))), months + extra)

/** Adds calendar months in UTC: the day is clamped to the end of the month, the time of day preserved. */
export const addMonths = (from: Date, months: number): Date => {
  const date = new Date(from)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(from.getUTCDate(), daysInMonth(date)))
  return date
}

const daysInMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
