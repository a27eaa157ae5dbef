import { distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { type Instant, MINUTE_MS, millis } from '#contracts/rules/time.ts'

export const MOVING_BELOW_MINUTES = 8
export const HOURS_ABOVE_MINUTES = 100

export type Motion = { state: 'moving' | 'unknown' } | { state: 'stationary'; unit: 'minutes' | 'hours'; n: number }

/**
 * Stationary under 8 minutes counts as moving; above 100 minutes the unit is hours. The exact time decides; minutes are shown rounded down,
 * hours rounded. Null or a future time is moving; an unreadable time is unknown.
 */
export const computeMotion = (stationarySince: Instant | null, now: Date): Motion => {
  const minutes = stationarySince === null ? 0 : (now.getTime() - millis(stationarySince)) / MINUTE_MS
  if (Number.isNaN(minutes)) return { state: 'unknown' }
  if (minutes < MOVING_BELOW_MINUTES) return { state: 'moving' }
  return minutes > HOURS_ABOVE_MINUTES
    ? { state: 'stationary', unit: 'hours', n: Math.round(minutes / 60) }
    : { state: 'stationary', unit: 'minutes', n: Math.floor(minutes) }
}

/** The same for plain numbers (ms), for each fix of a tracker: whether the motion is `stationary`. */
export const isStationary = (since: number | null, now: number) => since !== null && now - since >= MOVING_BELOW_MINUTES * MINUTE_MS

/** Fixes of a stationary tracker lie within this many metres, or within the precision of the fix if that is worse. */
export const STANDING_RADIUS_METERS = 60

/** Where and when (ms) a tracker last arrived, and since when it is known to stand there; null while it moves. */
export type Standing = LatLng & { at: number; since: number | null }

export const standingRadius = ({ precision }: { precision: number }) => Math.max(STANDING_RADIUS_METERS, precision)

const isSamePlace = (anchor: LatLng, fix: LatLng & { precision: number }) => distanceMeters(anchor, fix) <= standingRadius(fix)

/**
 * Advances a stop by one fix: the first fix at a place is an arrival, the second one proves that the tracker has stopped, since the
 * arrival.
 */
export const nextStanding = (standing: Standing | null, fix: Fix): Standing =>
  standing && isSamePlace(standing, fix)
    ? { ...standing, since: standing.since ?? standing.at }
    : { lat: fix.lat, lng: fix.lng, at: fix.datetime, since: null }
