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
/** Leaving takes distance and time: an excursion within one of these limits is drift. A single fix proves distance only. */
const DRIFT_LIMITS = [
  { radii: 2.5, ms: 2 * MINUTE_MS },
  { radii: 1.5, ms: MIN_STOP_MS },
]
/** Drift spends more of its fixes within the radius; two small loops round a block spend 30 %. */
const DRIFT_SHARE_INSIDE = 0.4
/** Two stops farther apart are two places. */
const SAME_PLACE_RADII = 1.5
/** Whoever is faster for half of the time does not stand, however small the circle. */
const STANDING_KMH = 11
const SPEED_WINDOW_MS = 10_000
/** A tracker that crosses the radius within this time creeps along; one that takes longer stands. */
const CREEPING_MS = 10 * MINUTE_MS
/** Where a search for a stop fails, the next one starts this much later, or this share of the time that was searched. */
const SEARCH_STEP_MS = 15_000
const SEARCH_SHARE = 0.05
/** Metres of noise in the weight of a fix, however precise it claims to be. */
const MIN_NOISE_METERS = 10

export const radiusAt = ({ precision }: Path, index: number) => Math.max(STANDING_RADIUS_METERS, 2 * (precision[index] ?? 0))

/** The stops from fix number `first` to fix number `last`. */
export function* findStops(path: Path, first: number, last: number): Work<Stop[]> {
  const stops: Stop[] = []
  for (let index = first; index <= last; ) {
    const stop = yield* measureStay(path, index, last)
    const ms = msBetween(path, index, stop.last)
    if (ms >= MIN_STOP_MS && (yield* isStanding(path, stop))) {
      yield* trimStop(path, stop, (stops.at(-1)?.last ?? first - 1) + 1)
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

/** How long the tracker stays around fix number `first`, excursions that are drift included. */
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

/** Whether an excursion of so many radii, time and fixes is drift. */
const isDrift = (radii: number, ms: number, count: number) =>
  DRIFT_LIMITS.some((limit) => radii <= limit.radii && (ms <= limit.ms || count <= 1))

/** Whether the tracker was slow for half of the time and did not just cross the circle. */
function* isStanding(path: Path, { first, last, radius }: Stop): Work<boolean> {
  const ms = msBetween(path, first, last)
  if (ms < CREEPING_MS && metersBetween(path, first, last) > radius) return false
  let fast = 0
  for (let from = first, to = first; from < last; from++) {
    if (from % PAUSE === 0) yield
    while (to < last && msBetween(path, from, to) < SPEED_WINDOW_MS) to++
    const window = msBetween(path, from, to)
    if (window < SPEED_WINDOW_MS) break
    if (metersBetween(path, from, to) / 1000 > (STANDING_KMH * window) / HOUR_MS) fast += msBetween(path, from, from + 1)
  }
  return fast < ms / 2
}

/** Moves the ends of a stop to where the tracker arrived and left, so that the first and the last metres belong to the trips. */
function* trimStop(path: Path, stop: Stop, earliest: number): Work<void> {
  let sum = 0
  for (let index = stop.first; index <= stop.last; index++) {
    if (index % PAUSE === 0) yield
    sum += metersFrom(path, index, stop.lat, stop.lng)
  }
  const spread = Math.max(path.precision[stop.first] ?? 0, (2 * sum) / (stop.last - stop.first + 1))
  const isOutside = (index: number) => metersFrom(path, index, stop.lat, stop.lng) > spread
  const middle = (stop.first + stop.last) >> 1
  while (stop.first > earliest && !isOutside(stop.first - 1)) stop.first--
  while (stop.first < middle && isOutside(stop.first)) stop.first++
  while (stop.last > middle && isOutside(stop.last)) stop.last--
}

/** Joins stops at one place when the way between them is drift. */
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
