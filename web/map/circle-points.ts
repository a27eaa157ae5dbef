import type { LatLng } from '#contracts/rules/geo.ts'
import type { Circle } from '#contracts/rules/places.ts'

/** Metres of one degree along a meridian. */
const DEGREE_METERS = 111_195
/** Nearer to a pole a degree of longitude has hardly any length. */
const MIN_COSINE = 0.01

const spanOf = ({ lat, radius }: Circle) => {
  const high = radius / DEGREE_METERS
  return { high, wide: high / Math.max(MIN_COSINE, Math.cos((lat * Math.PI) / 180)) }
}

/** Two corners of the box around a circle: what a map shows to show all of it. */
export const cornersOf = (circle: Circle): LatLng[] => {
  const { high, wide } = spanOf(circle)
  return [
    { lat: circle.lat - high, lng: circle.lng - wide },
    { lat: circle.lat + high, lng: circle.lng + wide },
  ]
}

/** The point of its border due east of the centre. */
export const eastOf = (circle: Circle): LatLng => ({ lat: circle.lat, lng: circle.lng + spanOf(circle).wide })
