/** Degrees, WGS 84. */
export type LatLng = { lat: number; lng: number }

/** A position in time: `datetime` in milliseconds since 1970 UTC, `precision` as a radius in metres. */
export type Fix = LatLng & { datetime: number; precision: number }

export const EARTH_RADIUS_METERS = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (radians: number) => (radians * 180) / Math.PI

/** Metres along the great circle (haversine, mean earth radius). */
export const distanceMeters = (a: LatLng, b: LatLng) => distanceBetween(a.lat, a.lng, b.lat, b.lng)

/** `distanceMeters` of plain numbers, for long tracks. */
export const distanceBetween = (latA: number, lngA: number, latB: number, lngB: number) => {
  const h = sineSquared(latA, latB) + Math.cos(radians(latA)) * Math.cos(radians(latB)) * sineSquared(lngA, lngB)
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

const sineSquared = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2

/** Slightly less than the metres in a degree of a great circle, so that rounding never makes a bound too high. */
const DEGREE_METERS = radians(EARTH_RADIUS_METERS) * 0.9999

/** True only if two points are certainly more than `meters` apart, at a fraction of the cost of their distance; false also in doubt. */
export function isCertainlyBeyond(latA: number, lngA: number, latB: number, lngB: number, meters: number) {
  const north = Math.abs(latB - latA)
  if (north * DEGREE_METERS > meters) return true
  const around = Math.abs(lngB - lngA)
  // One degree suffices: beyond it the distance only grows, and the arc hardly differs from its chord below.
  const east = Math.min(1, around > 180 ? 360 - around : around)
  return east * (Math.cos(radians(latA)) - radians(north)) * DEGREE_METERS > meters
}

/** Closer or antipodal points have no unique great circle in numbers of this precision. */
const MIN_ANGLE = 1e-7

/** The point at a share (0 to 1) of the great circle from `a` to `b`. */
export function pointBetween(a: LatLng, b: LatLng, share: number): LatLng {
  const angle = distanceMeters(a, b) / EARTH_RADIUS_METERS
  if (angle < MIN_ANGLE || angle > Math.PI - MIN_ANGLE) return share < 0.5 ? { lat: a.lat, lng: a.lng } : { lat: b.lat, lng: b.lng }
  const [fromA, fromB] = [Math.sin((1 - share) * angle), Math.sin(share * angle)]
  const sum = (read: (lat: number, lng: number) => number) =>
    fromA * read(radians(a.lat), radians(a.lng)) + fromB * read(radians(b.lat), radians(b.lng))
  const x = sum((lat, lng) => Math.cos(lat) * Math.cos(lng))
  const y = sum((lat, lng) => Math.cos(lat) * Math.sin(lng))
  const z = sum((lat) => Math.sin(lat))
  return { lat: degrees(Math.atan2(z, Math.hypot(x, y))), lng: degrees(Math.atan2(y, x)) }
}

/** Initial heading from `a` to `b` in degrees clockwise from north: 0 <= heading < 360. */
export const bearingDegrees = (a: LatLng, b: LatLng) => {
  const [from, to, turn] = [radians(a.lat), radians(b.lat), radians(b.lng - a.lng)]
  const y = Math.sin(turn) * Math.cos(to)
  const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

/** The same meridian, shifted by full turns to be less than half the earth away from `near`. */
export const unwrap = (lng: number, near: number) => lng - 360 * Math.round((lng - near) / 360)
