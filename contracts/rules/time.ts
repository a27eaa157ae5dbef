/** An instant: an ISO 8601 string from the wire or a Date on the server. */
export type Instant = string | Date

/** Milliseconds since 1970 UTC; NaN for an invalid instant. */
export const millis = (instant: Instant) => new Date(instant).getTime()

/** For sorting and comparing, which NaN would break: an invalid instant is the oldest. */
export const millisOrOldest = (instant: Instant) => millis(instant) || 0

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Formats an instant for the wire: UTC to the second, `2026-03-01T12:00:00Z`. */
export const formatInstant = (date: Date) => `${date.toISOString().slice(0, 19)}Z`

const LONGEST = 64

/** Whether this is the name of an IANA time zone, such as `America/Montevideo`; offsets such as `+03:00` are not. */
export function isTimeZone(name: string) {
  if (name.length > LONGEST || !/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
