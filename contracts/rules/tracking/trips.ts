import { distanceBetween, isCertainlyBeyond, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { type FixColumns, fixAt } from './fixes.ts'
import { STANDING_RADIUS_METERS } from './motion.ts'

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

/** A tracker silent for longer was off: even a standing one reports every 4 hours. */
const GAP_MS = 6 * HOUR_MS
/** Fixes between two pauses. */
const PAUSE = 256

/**
 * Splits a history ordered by time into stops, trips between them and gaps. Drift while standing counts neither as distance nor as speed.
 */
export function* splitIntoLegs(fixes: FixColumns): Work<Leg[]> {
  const legs: Leg[] = []
  let first = 0
  for (let next = 1; next <= fixes.length; next++) {
    const isGap = next < fixes.length && timeAt(fixes, next) - timeAt(fixes, next - 1) > GAP_MS
    if (next < fixes.length && !isGap) continue
    for (const leg of yield* splitWithoutGaps(fixes, first, next - 1)) legs.push(leg)
    if (isGap) legs.push(buildLeg('gap', fixes, next - 1, next, { meters: distanceAlong(fixes, next), topSpeedKmh: 0 }))
    first = next
  }
  return legs
}

function* splitWithoutGaps(fixes: FixColumns, first: number, last: number): Work<Leg[]> {
  const legs: Leg[] = []
  let before: Stop | undefined
  for (const stop of yield* findStops(fixes, first, last)) {
    legs.push(...(yield* buildTrip(fixes, before?.last ?? first, stop.first, before, stop)))
    legs.push(buildLeg('stop', fixes, stop.first, stop.last, { meters: 0, topSpeedKmh: 0 }))
    before = stop
  }
  legs.push(...(yield* buildTrip(fixes, before?.last ?? first, last, before, undefined)))
  return legs
}

/** The trip between two stops, from centre to centre; none if it never went farther than a standing tracker drifts. */
function* buildTrip(fixes: FixColumns, first: number, last: number, from: Stop | undefined, to: Stop | undefined): Work<Leg[]> {
  const way = yield* measurePath(fixes, first, last, from, to)
  return way.meters < STANDING_RADIUS_METERS ? [] : [buildLeg('trip', fixes, first, last, way)]
}

/**
 * Metres and top speed (km/h) along fixes, with the first and the last of them moved to `from` and `to`; a move smaller than the precision of
 * its fix does not count.
 */
function* measurePath(fixes: FixColumns, first: number, last: number, from?: LatLng, to?: LatLng): Work<PathStats> {
  let [meters, topSpeedKmh] = [0, 0]
  let at = from ? { ...fixAt(fixes, first), ...placeOf(from) } : fixAt(fixes, first)
  for (let index = first + 1; index <= last; index++) {
    if (index % PAUSE === 0) yield
    const fix = index === last && to ? { ...fixAt(fixes, index), ...placeOf(to), precision: 0 } : fixAt(fixes, index)
    const moved = distanceBetween(at.lat, at.lng, fix.lat, fix.lng)
    if (moved < fix.precision) continue
    meters += moved
    topSpeedKmh = Math.max(topSpeedKmh, kmhOf(moved, fix.datetime - at.datetime))
    at = fix
  }
  return { meters, topSpeedKmh }
}

const placeOf = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })

const buildLeg = (kind: Leg['kind'], fixes: FixColumns, first: number, last: number, way: PathStats): Leg => {
  const [start, end] = [timeAt(fixes, first), timeAt(fixes, last)]
  return { kind, first, last, start, end, durationMs: end - start, ...way }
}

/** The tracker stood around `lat`, `lng` from fix number `first` to fix number `last`. */
type Stop = LatLng & { first: number; last: number }

/** Shorter halts belong to the trip. */
const MIN_STOP_MS = 5 * MINUTE_MS
/** A single fix this near a standing tracker, followed by a fix back at the place, is drift whatever precision it claims. */
const DRIFT_METERS = 150

/** The stops from fix number `first` to fix number `end`. */
function* findStops(fixes: FixColumns, first: number, end: number): Work<Stop[]> {
  const stops: Stop[] = []
  for (let index = first; index <= end; ) {
    if (index % PAUSE === 0) yield
    const stop = yield* measureStay(fixes, index, end)
    const isStop = timeAt(fixes, stop.last) - timeAt(fixes, stop.first) >= MIN_STOP_MS
    if (isStop) stops.push(stop)
    index = isStop ? stop.last + 1 : index + 1
  }
  return stops
}

/** The stay that begins at `first`: up to the last fix at that place, ignoring excursions that are only drift. */
function* measureStay(fixes: FixColumns, first: number, end: number): Work<Stop> {
  const centre = { lat: 0, lng: 0, weight: 0 }
  let last = first
  for (let index = first; index <= end; index = findReturn(fixes, index, end, centre)) {
    if (index % PAUSE === 0) yield
    addToCentre(centre, fixes, index)
    last = index
  }
  return { first, last, lat: centre.lat, lng: centre.lng }
}

/** Index of the next fix at the same place; beyond `end` when the tracker really left. */
function findReturn(fixes: FixColumns, from: number, end: number, centre: LatLng): number {
  const next = from + 1
  if (next > end) return next
  const away = distanceFrom(centre, fixes, next)
  if (away <= Math.max(STANDING_RADIUS_METERS, fixes.precision[next] ?? 0)) return next
  const deadline = timeAt(fixes, from) + MIN_STOP_MS
  for (let index = next + 1; index <= end; index++) {
    const isInTime = timeAt(fixes, index) <= deadline
    const isLoneDrift = index === next + 1 && away <= DRIFT_METERS
    if ((isInTime || isLoneDrift) && isAtPlace(centre, fixes, index)) return index
    if (!isInTime) break
  }
  return end + 1
}

/** Moves the centre to the mean of its fixes, weighted by their precision. */
const addToCentre = (centre: LatLng & { weight: number }, { lat, lng, precision }: FixColumns, index: number) => {
  const weight = 1 / Math.max(10, precision[index] ?? 0) ** 2
  centre.weight += weight
  centre.lat += (((lat[index] ?? 0) - centre.lat) * weight) / centre.weight
  centre.lng += (((lng[index] ?? 0) - centre.lng) * weight) / centre.weight
}

const timeAt = ({ datetime }: FixColumns, index: number) => datetime[index] ?? 0

const distanceFrom = (centre: LatLng, { lat, lng }: FixColumns, index: number) =>
  distanceBetween(centre.lat, centre.lng, lat[index] ?? 0, lng[index] ?? 0)

/** Most fixes of a trip are far from where it began, and need no exact distance. */
const isAtPlace = (centre: LatLng, fixes: FixColumns, index: number) =>
  !isCertainlyBeyond(centre.lat, centre.lng, fixes.lat[index] ?? 0, fixes.lng[index] ?? 0, STANDING_RADIUS_METERS) &&
  distanceFrom(centre, fixes, index) <= STANDING_RADIUS_METERS

/** Metres from the fix before to the fix number `index`; 0 for the first one. */
export const distanceAlong = ({ lat, lng }: FixColumns, index: number) =>
  index < 1 ? 0 : distanceBetween(lat[index - 1] ?? 0, lng[index - 1] ?? 0, lat[index] ?? 0, lng[index] ?? 0)

/** The speed in km/h at which the fix number `index` was reached, not smoothed; 0 for the first one and when no time passed. */
export const speedKmh = (fixes: FixColumns, index: number) =>
  index < 1 ? 0 : kmhOf(distanceAlong(fixes, index), timeAt(fixes, index) - timeAt(fixes, index - 1))

const kmhOf = (meters: number, ms: number) => (ms > 0 ? meters / 1000 / (ms / HOUR_MS) : 0)

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
