import type { DayTotals } from '#contracts/days.ts'
import { addDays, type Day, midnight } from '#web/lib/period.ts'

export type Sums = { meters: number; movingMs: number; trips: number; days: number }

/** The sums of the days of a period, both ends included. */
export function sumDays(days: readonly DayTotals[], from: Day, to: Day): Sums {
  const sums: Sums = { meters: 0, movingMs: 0, trips: 0, days: 0 }
  for (const { day, meters, moving_seconds, trips } of days) {
    if (day < from || day > to) continue
    sums.meters += meters
    sums.movingMs += moving_seconds * 1000
    sums.trips += trips
    sums.days++
  }
  return sums
}

export const SPANS = ['week', 'month', 'year'] as const
type Span = (typeof SPANS)[number]

/** Monday is 0. */
const weekdayOf = (day: Day) => (midnight(day).getDay() + 6) % 7

const lastOfMonth = (first: Day) => addDays(shiftMonths(first, 1), -1)
const earlier = (a: Day, b: Day) => (a < b ? a : b)

/** The first day of the month `months` months later. */
function shiftMonths(day: Day, months: number): Day {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const index = year * 12 + month - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}-01`
}

/** The current period up to today, and the previous one up to the same day of it, or to its end if it is shorter. */
export function periodsOf(span: Span, today: Day): Record<'now' | 'before', { from: Day; to: Day }> {
  if (span === 'week') {
    const from = addDays(today, -weekdayOf(today))
    return { now: { from, to: today }, before: { from: addDays(from, -7), to: addDays(today, -7) } }
  }
  const back = span === 'month' ? 1 : 12
  const from = span === 'month' ? `${today.slice(0, 8)}01` : `${today.slice(0, 4)}-01-01`
  const first = shiftMonths(today, -back)
  const sameDay = `${first.slice(0, 8)}${today.slice(8)}`
  return { now: { from, to: today }, before: { from: shiftMonths(from, -back), to: earlier(sameDay, lastOfMonth(first)) } }
}

/** The metres of each of the twelve months, keyed by their first day. */
export function sumMonths(days: readonly DayTotals[], year: number) {
  const months = Array.from({ length: 12 }, (_, index) => ({ month: `${year}-${String(index + 1).padStart(2, '0')}-01`, meters: 0 }))
  for (const { day, meters } of days) {
    const month = months[Number(day.slice(5, 7)) - 1]
    if (month) month.meters += meters
  }
  return months
}

/** The share by which `now` exceeds `before`; null when `before` is 0. */
export const changeBetween = (now: Sums, before: Sums) => (before.meters > 0 ? now.meters / before.meters - 1 : null)

export const findBestDay = (days: readonly DayTotals[]) =>
  days.reduce<DayTotals | null>((best, day) => (day.meters > (best?.meters ?? 0) ? day : best), null)

/** Metres at which the second to fourth shade begin: each has a quarter of the days, so that one long day does not make all others pale. */
export function shadeLimits(days: readonly DayTotals[]): number[] {
  const meters = days.map((day) => day.meters).filter((each) => each > 0)
  meters.sort((a, b) => a - b)
  return [0.25, 0.5, 0.75].map((share) => meters[Math.floor(meters.length * share)] ?? 0)
}

/** 0 without movement, then 1 to 4. */
export const shadeOf = (meters: number, limits: readonly number[]) =>
  meters <= 0 ? 0 : limits.filter((limit) => meters >= limit && limit > 0).length + 1

/** The months of the year that have days with positions, as their first days, newest first. */
export const listMonths = (days: readonly DayTotals[]): Day[] => [...new Set(days.map(({ day }) => `${day.slice(0, 8)}01`))].reverse()

/** The days of a month in weeks that begin on Monday; null for those of other months. */
export function weeksOf(month: Day): (Day | null)[][] {
  const cells: (Day | null)[] = Array(weekdayOf(month)).fill(null)
  for (let day = month, last = lastOfMonth(month); day <= last; day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 > 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}
