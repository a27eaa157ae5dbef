import L from 'leaflet'
import { useEffect } from 'react'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Circle } from '#contracts/rules/geo/place.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import { placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { usePaint } from './use-paint.ts'

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

/** The area in which the tracker may be; `radius` in metres. */
export const AccuracyCircle = ({ at, radius, kind }: { at: LatLng; radius: number; kind: Kind }) => (
  <AreaCircle at={at} radius={radius} token={`--kind-${kind}`} />
)

type Props = {
  at: LatLng
  /** In metres. */
  radius: number
  /** A CSS colour token. */
  token?: `--${string}`
  isStrong?: boolean
}

export function AreaCircle({ at: { lat, lng }, radius, token = '--accent', isStrong = false }: Props) {
  const { map } = useMapStage()
  const { paint, renderer } = usePaint(map)
  useEffect(() => {
    const look = isStrong ? { weight: 2.5, opacity: 1, fillOpacity: 0.22 } : { weight: 1.5, opacity: 0.5, fillOpacity: 0.16 }
    const circle = L.circle(placeOn(map, { lat, lng }), { renderer, radius, color: paint(token), interactive: false, ...look })
    circle.addTo(map)
    return () => void circle.remove()
  }, [map, renderer, paint, lat, lng, radius, token, isStrong])
  return null
}
