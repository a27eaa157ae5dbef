import { HISTORY_MAX_DAYS } from '#contracts/limits/history-limits.ts'
import { DAY_MS, type Instant, millis } from '#contracts/rules/time.ts'

/** A calendar day in the user's time zone, as `2026-03-02`. */
export type Day = string
/** Whole days, both included. */
export type Period = { from: Day; to: Day }

const twoDigits = (part: number) => String(part).padStart(2, '0')

export const toDay = (at: Instant): Day => {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** The first instant of a day. Days are not always 24 hours long: 23 or 25 when the clocks change. */
export const midnight = (day: Day, later = 0): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}

/** The instant, in ms, of a time on the calendar day of another instant; `minutes` after midnight by the clock on the wall. */
export const atClock = (at: Instant, minutes: number): number => {
  const day = midnight(toDay(at))
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 0, minutes).getTime()
}

export const addDays = (day: Day, count: number): Day => toDay(midnight(day, count))

const isDay = (text: string | null): text is Day => text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && toDay(midnight(text)) === text

const countDays = ({ from, to }: Period) => Math.round((millis(midnight(to)) - millis(midnight(from))) / DAY_MS) + 1

export const isValidPeriod = (period: Period) => {
  const days = isDay(period.from) && isDay(period.to) ? countDays(period) : 0
  return days >= 1 && days <= HISTORY_MAX_DAYS
}

/** From the first instant of a period to the first one after it, in ms. */
export type Bounds = { start: number; end: number }

export const periodBounds = ({ from, to }: Period): Bounds => ({ start: millis(midnight(from)), end: millis(midnight(to, 1)) })

export const shiftPeriod = (period: Period, direction: 1 | -1, today: Day): Period => {
  const days = countDays(period) * direction
  const moved = { from: addDays(period.from, days), to: addDays(period.to, days) }
  return moved.to > today ? { from: addDays(today, 1 - countDays(period)), to: today } : moved
}

/** Seven days that include `day`, in blocks counted back from today, so that choosing another of them shows the same seven. */
export const weekAround = (day: Day, today: Day): Day[] => {
  const weeks = Math.floor(Math.max(0, countDays({ from: day, to: today }) - 1) / 7)
  return [6, 5, 4, 3, 2, 1, 0].map((back) => addDays(today, -7 * weeks - back))
}

/** The periods that people ask for by name, the shortest first. */
export function namedPeriods(today: Day) {
  const firstDay = (later: number) => {
    const [year = 0, month = 1] = today.split('-').map(Number)
    return toDay(new Date(year, month - 1 + later, 1))
  }
  return [
    { name: 'lastSevenDays', from: addDays(today, -6), to: today },
    { name: 'thisMonth', from: firstDay(0), to: today },
    { name: 'lastMonth', from: firstDay(-1), to: addDays(firstDay(0), -1) },
  ] as const
}

/** Reads a day or two days from the address, or today; null for an invalid period. */
export const parsePeriod = (search: URLSearchParams, today: Day): Period | null => {
  const [day, from, to] = ['day', 'from', 'to'].map((name) => search.get(name))
  const period = from || to ? { from: from ?? to ?? '', to: to ?? from ?? '' } : { from: day ?? today, to: day ?? today }
  return isValidPeriod(period) ? period : null
}

export const formatPeriod = ({ from, to }: Period): Record<string, string> => (from === to ? { day: from } : { from, to })

const iso = (ms: number) => new Date(ms).toISOString()

/** The bounds of a period for the API, both included. One that includes today has no end, so that live positions are appended to it. */
export function endsOf(period: Period, today: Day): [from: string, to?: string] {
  const { start, end } = periodBounds(period)
  const isGrowing = period.from <= today && period.to >= today
  return isGrowing ? [iso(start)] : [iso(start), iso(end - 1)]
}
