import { distanceMeters, type Fix, type LatLng } from './geo.ts'

/** A tracker standing still is found within this many metres, or within the precision of the fix if that is worse. */
export const STANDING_RADIUS_METERS = 60

/** Where a tracker was last seen to arrive, when (ms), and since when (ms) it is known to stand there; null while it moves. */
export type Standing = LatLng & { at: number; since: number | null }

export const isSamePlace = (anchor: LatLng, fix: LatLng & { precision: number }) =>
  distanceMeters(anchor, fix) <= Math.max(STANDING_RADIUS_METERS, fix.precision)

/** `stationary_since` from fix to fix: the first fix at a place is an arrival, the second one there tells that it stands. */
export const nextStanding = (standing: Standing | null, fix: Fix): Standing =>
  standing && isSamePlace(standing, fix)
    ? { ...standing, since: standing.since ?? standing.at }
    : { lat: fix.lat, lng: fix.lng, at: fix.datetime, since: null }
