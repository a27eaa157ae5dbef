/** Degrees, WGS 84. */
export type LatLng = { lat: number; lng: number }

/** A position in time: `datetime` in milliseconds since 1970 UTC, `precision` as a radius in metres. */
export type Fix = LatLng & { datetime: number; precision: number }

const EARTH_RADIUS_METERS = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Metres along the great circle (haversine, mean earth radius). */
export const distanceMeters = (a: LatLng, b: LatLng) => {
  const sine = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const h = sine(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * sine(a.lng, b.lng)
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Initial heading from `a` to `b` in degrees clockwise from north: 0 <= heading < 360. */
export const bearingDegrees = (a: LatLng, b: LatLng) => {
  const [from, to, turn] = [radians(a.lat), radians(b.lat), radians(b.lng - a.lng)]
  const y = Math.sin(turn) * Math.cos(to)
  const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}
