import { distanceMeters, type Fix, type LatLng } from './geo.ts'

/** Fixes of a standing tracker lie within this many metres, or within the precision of the fix if that is worse. */
export const STANDING_RADIUS_METERS = 60

/** Where and when (ms) a tracker last arrived, and since when it is known to stand there; null while it moves. */
export type Standing = LatLng & { at: number; since: number | null }

export const isSamePlace = (anchor: LatLng, fix: LatLng & { precision: number }) =>
  distanceMeters(anchor, fix) <= Math.max(STANDING_RADIUS_METERS, fix.precision)

/**
 * Advances a standing by one fix: the first fix at a place is an arrival, the second one proves that the tracker stands, since the arrival.
 */
export const nextStanding = (standing: Standing | null, fix: Fix): Standing =>
  standing && isSamePlace(standing, fix)
    ? { ...standing, since: standing.since ?? standing.at }
    : { lat: fix.lat, lng: fix.lng, at: fix.datetime, since: null }
