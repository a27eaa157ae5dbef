import type { LatLng } from '#contracts/rules/geo/coordinates.ts'

const METRES_PER_DEGREE = 111_195
const eastScale = (lat: number) => METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)

export const offsetBy = ({ lat, lng }: LatLng, east: number, north: number): LatLng => ({
  lat: lat + north / METRES_PER_DEGREE,
  lng: lng + east / eastScale(lat),
})

export const metreVector = (from: LatLng, to: LatLng) => ({
  east: (to.lng - from.lng) * eastScale(from.lat),
  north: (to.lat - from.lat) * METRES_PER_DEGREE,
})

/** Distance in metres; flat, so for points of one city only. */
export function metresBetween(from: LatLng, to: LatLng) {
  const { east, north } = metreVector(from, to)
  return Math.hypot(east, north)
}

/** The point at `share` (0 to 1) of the straight line from `from` to `to`. */
export const interpolate = (from: LatLng, to: LatLng, share: number): LatLng => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lng: from.lng + (to.lng - from.lng) * share,
})

/** The turn of a path at `at`, in degrees: 0 is straight on, 180 back. */
export function turnAngle(from: LatLng, at: LatLng, to: LatLng) {
  const [a, b] = [metreVector(from, at), metreVector(at, to)]
  return (Math.abs(Math.atan2(a.east * b.north - a.north * b.east, a.east * b.east + a.north * b.north)) * 180) / Math.PI
}
