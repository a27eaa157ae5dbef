import type { HistoryPoint } from '#contracts/positions.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { HOUR_MS, MINUTE_MS, millis } from '#contracts/rules/time.ts'
import { computeTotals, type Leg, splitIntoLegs } from '#contracts/rules/tracking/trips.ts'

export const startOfDay = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())

export const toFixes = (points: readonly HistoryPoint[]): Fix[] =>
  points.map(({ lat, lng, precision, datetime }) => ({ lat, lng, precision, datetime: millis(datetime) }))

/** Distance in metres, moving time in ms, and minutes of movement in each of the day's 24 hours. */
export const summarizeDay = (points: readonly HistoryPoint[], start: Date) => {
  const legs = splitIntoLegs(toFixes(points))
  const { meters, movingMs } = computeTotals(legs)
  return { meters, movingMs, byHour: movingByHour(legs, start.getTime()) }
}

const HOURS = [...Array(24).keys()]

export const movingByHour = (legs: readonly Leg[], start: number): number[] =>
  HOURS.map((hour) => {
    const [from, to] = [start + hour * HOUR_MS, start + (hour + 1) * HOUR_MS]
    const overlap = ({ start, end }: Leg) => Math.max(0, Math.min(end, to) - Math.max(start, from))
    return legs.reduce((sum, leg) => (leg.kind === 'trip' ? sum + overlap(leg) : sum), 0) / MINUTE_MS
  })
