import { HOUR_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { FixColumns } from './fixes.ts'
import { metersBetween, msBetween, PAUSE, type Path, smoothFixes, timeAt } from './path.ts'
import { measureWay } from './speeds.ts'
import { findStops, radiusAt } from './stops.ts'

export type PathStats = { meters: number; topSpeedKmh: number }

/**
 * A part of a history, from fix number `first` to fix number `last`; `start` and `end` in ms since 1970 UTC, `meters` along the fixes. A
 * gap has the distance between its ends and no speed.
 */
export type Leg = {
  kind: 'stop' | 'trip' | 'gap'
  first: number
  last: number
  start: number
  end: number
  durationMs: number
} & PathStats

/** A tracker that was silent for longer was off: even a stationary one reports every 4 hours. */
export const GAP_MS = 6 * HOUR_MS
/** The legs of a history, and for each fix the speed (km/h) and the distance (metres) with which it was reached: 0 outside trips. */
export type Motions = { legs: Leg[]; kmh: Float64Array; meters: Float64Array }

/** Splits a history without wrong fixes, ordered by time, into stops, trips between them and gaps. */
export function* splitIntoLegs(fixes: FixColumns): Work<Leg[]> {
  return (yield* measureMotions(fixes)).legs
}

export function* measureMotions(fixes: FixColumns): Work<Motions> {
  const path = yield* smoothFixes(fixes)
  const motions: Motions = { legs: [], kmh: new Float64Array(fixes.length), meters: new Float64Array(fixes.length) }
  let first = 0
  for (let next = 1; next <= fixes.length; next++) {
    if (next % PAUSE === 0) yield
    const isGap = next < fixes.length && msBetween(fixes, next - 1, next) > GAP_MS
    if (next < fixes.length && !isGap) continue
    yield* addLegsWithoutGaps(path, first, next - 1, motions)
    if (isGap) motions.legs.push(buildLeg('gap', path, next - 1, next, { meters: metersBetween(path, next - 1, next), topSpeedKmh: 0 }))
    first = next
  }
  return motions
}

function* addLegsWithoutGaps(path: Path, first: number, last: number, motions: Motions): Work<void> {
  let from = first
  let wasStop = false
  for (const stop of yield* findStops(path, first, last)) {
    yield* addTrip(path, from, stop.first, wasStop, motions)
    motions.legs.push(buildLeg('stop', path, stop.first, stop.last, { meters: 0, topSpeedKmh: 0 }))
    from = stop.last
    wasStop = true
  }
  yield* addTrip(path, from, last, false, motions)
}

/** The part before the first stop or after the last one is a trip only if it leads farther than a stationary tracker drifts. */
function* addTrip(path: Path, first: number, last: number, isBetweenStops: boolean, { legs, kmh, meters }: Motions): Work<void> {
  if (last <= first || !(isBetweenStops || (yield* leavesRadius(path, first, last)))) return
  const way = yield* measureWay(path, first, last)
  legs.push(buildLeg('trip', path, first, last, way))
  for (let index = 1; index <= last - first; index++) {
    if (index % PAUSE === 0) yield
    kmh[first + index] = way.kmh[index] ?? 0
    meters[first + index] = (way.along[index] ?? 0) - (way.along[index - 1] ?? 0)
  }
}

function* leavesRadius(path: Path, first: number, last: number): Work<boolean> {
  const radius = radiusAt(path, first)
  for (let index = first + 1; index <= last; index++) {
    if (index % PAUSE === 0) yield
    if (metersBetween(path, first, index) > Math.max(radius, path.precision[index] ?? 0)) return true
  }
  return false
}

const buildLeg = (kind: Leg['kind'], path: FixColumns, first: number, last: number, { meters, topSpeedKmh }: PathStats): Leg => {
  const [start, end] = [timeAt(path, first), timeAt(path, last)]
  return { kind, first, last, start, end, durationMs: end - start, meters, topSpeedKmh }
}

/** Metres and moving time of the trips, the longest stop (ms) and the number of stops; gaps don't count. */
export const computeTotals = (legs: readonly Leg[]) => {
  const totals = { meters: 0, movingMs: 0, longestStopMs: 0, stops: 0 }
  for (const { kind, meters, durationMs } of legs) {
    if (kind === 'trip') {
      totals.meters += meters
      totals.movingMs += durationMs
    } else if (kind === 'stop') {
      totals.longestStopMs = Math.max(totals.longestStopMs, durationMs)
      totals.stops++
    }
  }
  return totals
}
