import { measurePeriod, NO_BORDERS } from '#contracts/rules/history/borders.ts'
import { computeTotals, type Leg } from '#contracts/rules/history/trips.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { createTimeSliced } from '#web/lib/time-slices.ts'
import { separateWrong } from '#web/trackers/trace/wrong-positions.ts'

/** The legs of a history without its wrong positions, computed once, in time slices. */
export const legsOf = createTimeSliced(splitGoodIntoLegs)

/** The legs of a history without its wrong positions. */
export function* splitGoodIntoLegs(positions: PositionColumns): Work<Leg[]> {
  const { good } = yield* separateWrong(positions)
  return (yield* measurePeriod(good, positions.borders ?? NO_BORDERS)).legs
}

/** Distance in metres, moving time in ms, and minutes of movement in each of the day's 24 hours. */
export const summarizeDay = (legs: readonly Leg[], start: Date) => {
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
