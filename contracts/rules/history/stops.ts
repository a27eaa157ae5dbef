import { distanceBetween } from '#contracts/rules/geo/coordinates.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Work } from '#contracts/rules/work.ts'
import { STANDING_RADIUS_METERS } from './motion.ts'
import { metersBetween, metersFrom, msBetween, PAUSE, type Path, timeAt } from './path.ts'
import { measureAlong } from './speeds.ts'

/** The tracker stood within `radius` metres of a point from fix number `first` to fix number `last`. */
export type Stop = { lat: number; lng: number; radius: number; first: number; last: number }

/** Shorter halts belong to the trip. */
const MIN_STOP_MS = 5 * MINUTE_MS
/** Leaving takes distance and time: an excursion within one of these limits is drift. A single fix proves only distance. */
const DRIFT_LIMITS = [
  { radii: 2.5, ms: 2 * MINUTE_MS },
  { radii: 1.5, ms: MIN_STOP_MS },
]
/** In drift more of the fixes lie within the radius; in two small loops round a block 30 % do. */
const DRIFT_SHARE_INSIDE = 0.4
/** Two stops farther apart are two places. */
const SAME_PLACE_RADII = 1.5
/**
 * A tracker that is faster for half of the time is not standing, however small its circle: a paraglider in a thermal over ten seconds, a
 * runner on a track over thirty. Drift returns too soon to be that fast for thirty seconds.
 */
const STANDING_SPEEDS = [
  { kmh: 11, ms: 10_000 },
  { kmh: 6, ms: 30_000 },
]
/** Less precise fixes scatter without any movement; the metres beyond this limit do not count as speed. */
const PRECISE_METERS = 30
/** A tracker that crosses the radius within this time is moving slowly; one that takes longer is stationary. */
const CREEPING_MS = 10 * MINUTE_MS
/** Where a search for a stop fails, the next one starts this much later, or after this share of the time that was searched. */
const SEARCH_STEP_MS = 15_000
const SEARCH_SHARE = 0.05
/** Minimum noise in metres for the weight of a fix, however precise it claims to be. */
const MIN_NOISE_METERS = 10
const TRIM_ROUNDS = 4
/** The fixes of a stop lie within this many times their median distance from its centre; with few fixes the mean is more reliable. */
const SPREAD_MEDIANS = 2.5
const SPREAD_MEANS = 2
const FEW_FIXES = 10
const SHARP_PRECISIONS = 0.2
const SHARPEST = 0.2
const MOST_SAMPLES = 1000

export const radiusAt = ({ precision }: Path, index: number) => Math.max(STANDING_RADIUS_METERS, 2 * (precision[index] ?? 0))

/** The stops from fix number `first` to fix number `last`. */
export function* findStops(path: Path, first: number, last: number): Work<Stop[]> {
  const stops: Stop[] = []
  for (let index = first; index <= last; ) {
    const stop = yield* measureStay(path, index, last)
    const ms = msBetween(path, index, stop.last)
    const earliest = (stops.at(-1)?.last ?? first - 1) + 1
    if (ms >= MIN_STOP_MS && (yield* isStanding(path, stop)) && (yield* trimStop(path, stop, earliest))) {
      stops.push(stop)
      index = Math.max(index, stop.last) + 1
    } else {
      const next = timeAt(path, index) + Math.max(SEARCH_STEP_MS, ms >= MIN_STOP_MS ? ms * SEARCH_SHARE : 0)
      do index++
      while (index <= last && timeAt(path, index) < next)
    }
  }
  return yield* mergeStops(path, stops)
}

/** How long the tracker stays around fix number `first`, including excursions that are drift. */
function* measureStay(path: Path, first: number, end: number): Work<Stop> {
  const stop: Stop = { lat: path.lat[first] ?? 0, lng: path.lng[first] ?? 0, first, last: first, radius: radiusAt(path, first) }
  let [weights, away] = [0, 0]
  for (let index = first; index <= end; index++) {
    if (index % PAUSE === 0) yield
    const meters = metersFrom(path, index, stop.lat, stop.lng)
    const radius = Math.max(stop.radius, radiusAt(path, index))
    const ms = msBetween(path, stop.last, index)
    if (meters > radius) {
      away = Math.max(away, meters / radius)
      if (!isDrift(away, ms, index - stop.last)) break
      continue
    }
    if (away > 0 && !isDrift(away, ms, index - stop.last - 1)) break
    const weight = 1 / Math.max(MIN_NOISE_METERS, path.precision[index] ?? 0) ** 2
    weights += weight
    stop.lat += (((path.lat[index] ?? 0) - stop.lat) * weight) / weights
    stop.lng += (((path.lng[index] ?? 0) - stop.lng) * weight) / weights
    stop.radius += (radiusAt(path, index) - stop.radius) / (index - first + 1)
    stop.last = index
    away = 0
  }
  return stop
}

/** Whether an excursion of this many radii, seconds and fixes is drift. */
const isDrift = (radii: number, ms: number, count: number) =>
  DRIFT_LIMITS.some((limit) => radii <= limit.radii && (ms <= limit.ms || count <= 1))

/** Whether the tracker was slow for half of the time and did not just cross the circle. */
function* isStanding(path: Path, { first, last, radius }: Stop): Work<boolean> {
  const ms = msBetween(path, first, last)
  if (ms < CREEPING_MS && metersBetween(path, first, last) > radius) return false
  for (const limit of STANDING_SPEEDS) if ((yield* measureFastMs(path, first, last, limit)) >= ms / 2) return false
  return true
}

/** How long the tracker was faster than a limit, in total. */
function* measureFastMs(path: Path, first: number, last: number, limit: { kmh: number; ms: number }): Work<number> {
  let fast = 0
  for (let from = first, to = first; from < last; from++) {
    if (from % PAUSE === 0) yield
    while (to < last && msBetween(path, from, to) < limit.ms) to++
    const window = msBetween(path, from, to)
    if (window < limit.ms) break
    const meters = metersBetween(path, from, to) - vagueMeters(path, from) - vagueMeters(path, to)
    if (meters / 1000 > (limit.kmh * window) / HOUR_MS) fast += msBetween(path, from, from + 1)
  }
  return fast
}

const vagueMeters = ({ precision }: Path, index: number) => Math.max(0, (precision[index] ?? 0) - PRECISE_METERS)

/**
 * Moves the ends of a stop to where the tracker arrived and left, so that the first and the last metres belong to the trips. Returns whether
 * it stood long enough between them.
 */
function* trimStop(path: Path, stop: Stop, earliest: number): Work<boolean> {
  const hasFew = stop.last - stop.first < FEW_FIXES
  for (let round = 0; round < TRIM_ROUNDS; round++) {
    yield
    const { first, last } = stop
    if (!hasFew) {
      stop.lat = medianOf(sampleBetween(first, last, (index) => path.lat[index] ?? 0))
      stop.lng = medianOf(sampleBetween(first, last, (index) => path.lng[index] ?? 0))
    }
    const metersAway = (index: number) => metersFrom(path, index, stop.lat, stop.lng)
    const distances = sampleBetween(first, last, metersAway)
    const spread = Math.max(path.precision[first] ?? 0, hasFew ? SPREAD_MEANS * meanOf(distances) : SPREAD_MEDIANS * medianOf(distances))
    const usual = medianOf(sampleBetween(first, last, (index) => path.precision[index] ?? 0))
    const isOutside = (index: number) => metersAway(index) > spread * sharpness((path.precision[index] ?? 0) / usual)
    const middle = (first + last) >> 1
    while (stop.first > earliest && !isOutside(stop.first - 1)) stop.first--
    while (stop.first < middle && isOutside(stop.first)) stop.first++
    while (stop.last > middle && isOutside(stop.last)) stop.last--
    if (stop.first === first && stop.last === last) break
  }
  const [before, after] = [Math.max(earliest, stop.first - 1), Math.min(path.length - 1, stop.last + 1)]
  return stop.first < stop.last && msBetween(path, before, after) >= MIN_STOP_MS
}

/** The share of the spread by which a fix may be away: less for one far more precise than the others, such as GPS among network fixes. */
const sharpness = (precisions: number) => Math.min(1, Math.max(SHARPEST, precisions / SHARP_PRECISIONS))

/** Up to a thousand of the fixes' values, sorted. */
function sampleBetween(first: number, last: number, read: (index: number) => number): Float64Array {
  const step = Math.ceil((last - first + 1) / MOST_SAMPLES)
  return Float64Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, nth) => read(first + nth * step)).sort()
}

/** The median: unlike a mean, it stays at the place however many metres of the way to it and from it belong to the stop. */
const medianOf = (sorted: Float64Array) => ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Joins stops at one place if the way between them is drift. */
function* mergeStops(path: Path, stops: readonly Stop[]): Work<Stop[]> {
  const merged: Stop[] = []
  for (const stop of stops) {
    const before = merged.at(-1)
    if (before && (yield* isDriftBetween(path, before, stop))) {
      const share = (stop.last - stop.first + 1) / (stop.last - stop.first + before.last - before.first + 2)
      before.lat += (stop.lat - before.lat) * share
      before.lng += (stop.lng - before.lng) * share
      before.radius = Math.max(before.radius, stop.radius)
      before.last = stop.last
    } else merged.push(stop)
  }
  return merged
}

/** Drift leaves and returns again and again and spends much of its time inside; a round trip leaves once. */
function* isDriftBetween(path: Path, a: Stop, b: Stop): Work<boolean> {
  const radius = Math.max(a.radius, b.radius)
  const along = yield* measureAlong(path, a.last, b.first)
  if ((along.at(-1) ?? 0) < radius) return true
  const apart = distanceBetween(a.lat, a.lng, b.lat, b.lng)
  if (apart > SAME_PLACE_RADII * radius) return false
  let [fromA, fromB, inside, departures] = [0, 0, 0, 0]
  let wasInside = true
  for (let index = a.last; index <= b.first; index++) {
    if (index % PAUSE === 0) yield
    const meters = metersFrom(path, index, a.lat, a.lng)
    fromA = Math.max(fromA, meters)
    fromB = Math.max(fromB, metersFrom(path, index, b.lat, b.lng))
    const isInside = meters <= a.radius
    if (wasInside && !isInside) departures++
    if (isInside) inside++
    wasInside = isInside
  }
  const count = b.first - a.last - 1
  if (isDrift(Math.max(apart, Math.min(fromA, fromB)) / radius, msBetween(path, a.last, b.first), count)) return true
  return departures >= 2 && inside >= DRIFT_SHARE_INSIDE * (count + 2)
}
