import { distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { distanceToBorder, type Geofence } from '#contracts/rules/geo/place.ts'
import { HOUR_MS, type Instant, MINUTE_MS, millis } from '#contracts/rules/time.ts'

/** The fixes that an arrival is estimated from: those of the last minutes before the newest one. */
export const APPROACH_MS = 10 * MINUTE_MS
/** Used if the longer window fails, for a tracker that started, or turned towards the place, only minutes ago. */
const SHORT_APPROACH_MS = 6 * MINUTE_MS
/** Shorter observations are inconclusive. */
const MIN_SPAN_MS = 4 * MINUTE_MS
const MIN_FIXES = 3
/** Walking speed: a tracker that approaches more slowly is not on its way. */
const MIN_METERS_PER_SECOND = 0.6
/** Share of the approach that each half of the window must have. */
const MIN_HALF = 0.25
/** A newest fix older than this is too old for an estimate. */
const FRESH_MS = 5 * MINUTE_MS
/**
 * Roads are longer than the straight line to the place, and the last stretch of a journey is slower than the ones before it: the remaining
 * straight distance counts this many times. An estimate, not a route.
 */
const DETOUR = 1.3
const FARTHEST_METERS = 100_000
const LONGEST_MS = 2 * HOUR_MS
const ROUNDING_MS = 5 * MINUTE_MS
/**
 * Minimum share of the latest minutes' movement that leads straight towards a place for it to count as a possible destination: about 37
 * degrees.
 */
const MIN_STRAIGHTNESS = 0.8

export const isFreshForArrival = (newest: Instant, now: Date) => now.getTime() - millis(newest) <= FRESH_MS

/** Metres in a straight line to the border of a place; 0 inside it. */
export const metersToPlace = (at: { lat: number; lng: number }, place: Geofence) => Math.max(0, distanceToBorder(at, place))

/**
 * When a tracker reaches a place, rounded to five minutes; null where that is unclear: too few recent fixes, standing, moving away or past
 * it, already inside, more than 100 km or two hours away. `fixes` are valid ones, oldest first.
 */
export function estimateArrival(fixes: readonly Fix[], place: Geofence, now: Date): Date | null {
  const newest = fixes.at(-1)
  if (!newest || !isFreshForArrival(new Date(newest.datetime), now)) return null
  const meters = metersToPlace(newest, place)
  if (meters === 0 || meters > FARTHEST_METERS) return null
  const speed = measureApproach(fixes, place, APPROACH_MS) ?? measureApproach(fixes, place, SHORT_APPROACH_MS)
  if (speed === null) return null
  const at = Math.max(now.getTime(), newest.datetime + ((meters * DETOUR) / speed) * 1000)
  if (at - now.getTime() > LONGEST_MS) return null
  const rounded = Math.round(at / ROUNDING_MS) * ROUNDING_MS
  return new Date(rounded < now.getTime() ? rounded + ROUNDING_MS : rounded)
}

/**
 * The nearest of the places that a tracker without a known destination is heading for, and the time of arrival; null where that is unclear.
 * `fixes` are valid ones, oldest first.
 */
export function findNextArrival<P extends Geofence>(fixes: readonly Fix[], places: readonly P[], now: Date) {
  const newest = fixes.at(-1)
  if (!newest) return null
  const recent = fixes.filter(({ datetime }) => datetime >= newest.datetime - APPROACH_MS)
  const arrivals = places.flatMap((place) => {
    const at = isHeadingFor(recent, place) ? estimateArrival(recent, place, now) : null
    return at ? [{ place, at, meters: metersToPlace(newest, place) }] : []
  })
  return arrivals.sort((a, b) => a.meters - b.meters)[0] ?? null
}

/** Metres to the middle of a circle, or to the border of a shape: only differences count. */
const metersAway = (at: LatLng, place: Geofence) => (place.shape ? distanceToBorder(at, place) : distanceMeters(at, place))

/** Compares the distance travelled in the latest minutes with the approach to the place. */
function isHeadingFor(fixes: readonly Fix[], place: Geofence): boolean {
  const last = fixes.at(-1)
  const first = last && (fixes.findLast(({ datetime }) => datetime <= last.datetime - MIN_SPAN_MS) ?? fixes[0])
  if (!last || !first) return false
  return metersAway(first, place) - metersAway(last, place) >= MIN_STRAIGHTNESS * distanceMeters(first, last)
}

/** Mean metres per second by which the distance shrank over a window before the newest fix; null unless it clearly shrank throughout. */
function measureApproach(all: readonly Fix[], place: Geofence, windowMs: number): number | null {
  const end = all.at(-1)?.datetime ?? 0
  const fixes = all.filter(({ datetime }) => datetime >= end - windowMs)
  const [first, last] = [fixes[0], fixes.at(-1)]
  if (!first || !last || fixes.length < MIN_FIXES) return null
  const ms = last.datetime - first.datetime
  if (ms < MIN_SPAN_MS) return null
  const closed = metersAway(first, place) - metersAway(last, place)
  const speed = closed / (ms / 1000)
  if (speed < MIN_METERS_PER_SECOND || closed < 2 * (first.precision + last.precision)) return null
  const half = metersAway(first, place) - distanceAt(fixes, place, first.datetime + ms / 2)
  return Math.min(half, closed - half) < MIN_HALF * closed ? null : speed
}

/** `metersAway` at a moment between the first and the last fix, interpolated by time. */
function distanceAt(fixes: readonly Fix[], place: Geofence, moment: number): number {
  const after = Math.max(
    1,
    fixes.findIndex(({ datetime }) => datetime >= moment),
  )
  const [from, to] = [fixes[after - 1]!, fixes[after]!]
  const share = (moment - from.datetime) / Math.max(1, to.datetime - from.datetime)
  const start = metersAway(from, place)
  return start + (metersAway(to, place) - start) * share
}
