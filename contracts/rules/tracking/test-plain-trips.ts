import { distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { isSamePlace, STANDING_RADIUS_METERS } from './motion.ts'
import type { Leg, PathStats } from './trips.ts'

/** A tracker silent for longer was off: even a standing one reports every 4 hours. */
const GAP_MS = 6 * HOUR_MS

/**
 * The rules of `trips.ts` over objects, without pauses and shortcuts, as the reference for comparison.
 *
 * Splits a history ordered by time into stops, trips between them and gaps. Drift while standing counts neither as distance nor as speed.
 */
export const splitPlainly = (fixes: readonly Fix[]): Leg[] => {
  const legs: Leg[] = []
  let first = 0
  for (let next = 1; next <= fixes.length; next++) {
    const [a, b] = [fixes[next - 1], fixes[next]]
    if (a && b && b.datetime - a.datetime <= GAP_MS) continue
    legs.push(...splitWithoutGaps(fixes, first, next - 1))
    if (a && b) legs.push(buildLeg('gap', fixes, next - 1, next, { meters: distanceMeters(a, b), topSpeedKmh: 0 }))
    first = next
  }
  return legs
}

const splitWithoutGaps = (fixes: readonly Fix[], first: number, last: number): Leg[] => {
  const stops = findStops(fixes.slice(first, last + 1)).map((stop) => ({ ...stop, first: first + stop.first, last: first + stop.last }))
  const legs = stops.flatMap((stop, index) => [
    ...buildTrip(fixes, stops[index - 1]?.last ?? first, stop.first, stops[index - 1], stop),
    buildLeg('stop', fixes, stop.first, stop.last, { meters: 0, topSpeedKmh: 0 }),
  ])
  const lastStop = stops.at(-1)
  return [...legs, ...buildTrip(fixes, lastStop?.last ?? first, last, lastStop, undefined)]
}

/** The trip between two stops, from centre to centre; none if it never went farther than a standing tracker drifts. */
const buildTrip = (fixes: readonly Fix[], first: number, last: number, from: Stop | undefined, to: Stop | undefined): Leg[] => {
  const points = fixes.slice(first, last + 1)
  const ends = points.map((fix, index) => {
    const stop = index === 0 ? from : index === points.length - 1 ? to : undefined
    return stop ? { ...fix, lat: stop.lat, lng: stop.lng, precision: 0 } : fix
  })
  const way = measurePath(ends)
  return way.meters < STANDING_RADIUS_METERS ? [] : [buildLeg('trip', fixes, first, last, way)]
}

const buildLeg = (kind: Leg['kind'], fixes: readonly Fix[], first: number, last: number, way: PathStats): Leg => {
  const [start, end] = [fixes[first]?.datetime ?? 0, fixes[last]?.datetime ?? 0]
  return { kind, first, last, start, end, durationMs: end - start, ...way }
}

/** The tracker stood around `lat`, `lng` from fix number `first` to fix number `last`. */
type Stop = LatLng & { first: number; last: number }

/** Shorter halts belong to the trip. */
const MIN_STOP_MS = 5 * MINUTE_MS
/** A single fix this near a standing tracker, followed by a fix back at the place, is drift whatever precision it claims. */
const DRIFT_METERS = 150

/** The stops in fixes ordered by time. */
const findStops = (fixes: readonly Fix[]): Stop[] => {
  const stops: Stop[] = []
  for (let index = 0; index < fixes.length; ) {
    const stop = measureStay(fixes, index)
    const isStop = timeAt(fixes, stop.last) - timeAt(fixes, stop.first) >= MIN_STOP_MS
    if (isStop) stops.push(stop)
    index = isStop ? stop.last + 1 : index + 1
  }
  return stops
}

/** The stay that begins at `first`: up to the last fix at that place, ignoring excursions that are only drift. */
const measureStay = (fixes: readonly Fix[], first: number): Stop => {
  const centre = { lat: 0, lng: 0, weight: 0 }
  let last = first
  for (let index = first; index < fixes.length; index = findReturn(fixes, index, centre)) {
    addToCentre(centre, fixes[index])
    last = index
  }
  return { first, last, lat: centre.lat, lng: centre.lng }
}

/** Index of the next fix at the same place; the number of fixes when the tracker really left. */
const findReturn = (fixes: readonly Fix[], from: number, centre: LatLng): number => {
  const deadline = timeAt(fixes, from) + MIN_STOP_MS
  let away = 0
  for (let index = from + 1; index < fixes.length; index++) {
    const fix = fixes[index]
    if (!fix) break
    if (index === from + 1 && isSamePlace(centre, fix)) return index
    const meters = distanceMeters(centre, fix)
    const isInTime = fix.datetime <= deadline
    const isLoneDrift = index === from + 2 && away <= DRIFT_METERS
    if (meters <= STANDING_RADIUS_METERS && (isInTime || isLoneDrift)) return index
    if (!isInTime && index > from + 1) break
    away = Math.max(away, meters)
  }
  return fixes.length
}

/** Moves the centre to the mean of its fixes, weighted by their precision. */
const addToCentre = (centre: LatLng & { weight: number }, fix: Fix | undefined) => {
  if (!fix) return
  const weight = 1 / Math.max(10, fix.precision) ** 2
  centre.weight += weight
  centre.lat += ((fix.lat - centre.lat) * weight) / centre.weight
  centre.lng += ((fix.lng - centre.lng) * weight) / centre.weight
}

const timeAt = (fixes: readonly Fix[], index: number) => fixes[index]?.datetime ?? 0

/** Speed between two fixes in km/h, not smoothed; 0 when no time passed. */
const speedKmh = (a: Fix, b: Fix) => {
  const hours = (b.datetime - a.datetime) / HOUR_MS
  return hours > 0 ? distanceMeters(a, b) / 1000 / hours : 0
}

/** Metres and top speed (km/h) along fixes; a move smaller than the precision of its fix does not count. */
const measurePath = (points: readonly Fix[]): PathStats => {
  let [meters, topSpeedKmh, at] = [0, 0, points[0]]
  for (const fix of points) {
    if (!at || distanceMeters(at, fix) < fix.precision) continue
    meters += distanceMeters(at, fix)
    topSpeedKmh = Math.max(topSpeedKmh, speedKmh(at, fix))
    at = fix
  }
  return { meters, topSpeedKmh }
}
