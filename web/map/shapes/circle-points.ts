import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Circle } from '#contracts/rules/geo/place.ts'

/** Metres per degree of latitude. */
const DEGREE_METERS = 111_195
/** Avoids a division by almost 0 near the poles, where a degree of longitude has hardly any length. */
const MIN_COSINE = 0.01

const degreeSpan = ({ lat, radius }: Circle) => {
  const high = radius / DEGREE_METERS
  return { high, wide: high / Math.max(MIN_COSINE, Math.cos((lat * Math.PI) / 180)) }
}

export const boxCorners = (circle: Circle): LatLng[] => {
  const { high, wide } = degreeSpan(circle)
  return [
    { lat: circle.lat - high, lng: circle.lng - wide },
    { lat: circle.lat + high, lng: circle.lng + wide },
  ]
}

export const eastPoint = (circle: Circle): LatLng => ({ lat: circle.lat, lng: circle.lng + degreeSpan(circle).wide })
