import { distanceMeters, type Fix, type LatLng } from './geo.ts'
import { MINUTE_MS } from './instant.ts'
import { isSamePlace, STANDING_RADIUS_METERS } from './standing.ts'

/** The tracker stood around `lat`, `lng` from fix number `first` to fix number `last`. */
export type Stop = LatLng & { first: number; last: number }

/** Shorter halts belong to the trip. */
const MIN_STOP_MS = 5 * MINUTE_MS
/** A single fix this near a standing tracker, followed by a fix back at the place, is drift whatever precision it claims. */
const DRIFT_METERS = 150

/** The stops in fixes ordered by time. */
export const findStops = (fixes: readonly Fix[]): Stop[] => {
  const stops: Stop[] = []
  for (let index = 0; index < fixes.length; ) {
    const stop = standFrom(fixes, index)
    const isStop = timeOf(fixes, stop.last) - timeOf(fixes, stop.first) >= MIN_STOP_MS
    if (isStop) stops.push(stop)
    index = isStop ? stop.last + 1 : index + 1
  }
  return stops
}

/** The stay that begins at `first`: up to the last fix at that place, ignoring excursions that are only drift. */
const standFrom = (fixes: readonly Fix[], first: number): Stop => {
  const centre = { lat: 0, lng: 0, weight: 0 }
  let last = first
  for (let index = first; index < fixes.length; index = back(fixes, index, centre)) {
    join(centre, fixes[index])
    last = index
  }
  return { first, last, lat: centre.lat, lng: centre.lng }
}

/** Index of the next fix at the same place; the number of fixes when the tracker really left. */
const back = (fixes: readonly Fix[], from: number, centre: LatLng): number => {
  const deadline = timeOf(fixes, from) + MIN_STOP_MS
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
const join = (centre: LatLng & { weight: number }, fix: Fix | undefined) => {
  if (!fix) return
  const weight = 1 / Math.max(10, fix.precision) ** 2
  centre.weight += weight
  centre.lat += ((fix.lat - centre.lat) * weight) / centre.weight
  centre.lng += ((fix.lng - centre.lng) * weight) / centre.weight
}

const timeOf = (fixes: readonly Fix[], index: number) => fixes[index]?.datetime ?? 0
