import L from 'leaflet'
import { useEffect } from 'react'
import { type LatLng, unwrap } from '#contracts/rules/geo/coordinates.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import type { Shape, ShapePoint } from '#contracts/rules/geo/shape.ts'
import { placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { useView } from '#web/map/pins/use-view.ts'
import { boxCorners } from './circles.tsx'
import { usePaint } from './use-paint.ts'

/** Metres per pixel at the equator at zoom 0. */
const METERS_PER_PIXEL = 156_543

/** The points of a shape, without a jump where they cross the date line, on the copy of the world that the map shows. */
export function shapeOn(map: L.Map, points: readonly ShapePoint[]): [lat: number, lng: number][] {
  let last = map.getCenter().lng
  return points.map(([lat, lng]) => {
    last = unwrap(lng, last)
    return [lat, last]
  })
}

type Look = L.PathOptions & { weight: number; fillOpacity: number }

/** Draws the border of a place at a zoom: a circle, an area, or a way as a line as wide as it is. */
export function drawBorder(map: L.Map, place: Geofence, look: Look, zoom: number): L.Path[] {
  const { shape, radius } = place
  if (!shape) return [L.circle(placeOn(map, place), { ...look, radius })]
  const points = shapeOn(map, shape.points)
  if (shape.type === 'polygon') return [L.polygon(points, look)]
  const pixels = (2 * shape.width * 2 ** zoom) / (METERS_PER_PIXEL * Math.cos(((points[0]?.[0] ?? 0) * Math.PI) / 180))
  const broad = { ...look, opacity: look.fillOpacity, weight: Math.max(look.weight + 2, pixels), noClip: true }
  return [L.polyline(points, broad), L.polyline(points, { ...look, fill: false })]
}

/** The border of a place on a map, or that of a shape that is not saved yet. */
export function PlaceBorder({ place, isStrong = false }: { place: Geofence; isStrong?: boolean }) {
  const { map } = useMapStage()
  const { zoom } = useView(map)
  const { paint, renderer } = usePaint(map)
  const { lat, lng, radius, shape } = place
  const zoomOfWay = shape?.type === 'corridor' ? zoom : 0
  useEffect(() => {
    const look = isStrong ? { weight: 2.5, opacity: 1, fillOpacity: 0.22 } : { weight: 1.5, opacity: 0.5, fillOpacity: 0.16 }
    const drawn = { renderer, color: paint('--accent'), interactive: false, ...look }
    const group = L.layerGroup(drawBorder(map, { lat, lng, radius, shape }, drawn, zoomOfWay)).addTo(map)
    return () => void group.remove()
  }, [map, renderer, paint, lat, lng, radius, shape, isStrong, zoomOfWay])
  return null
}

const toLatLng = ([lat, lng]: ShapePoint): LatLng => ({ lat, lng })
export const pointsOf = ({ points }: Pick<Shape, 'points'>): LatLng[] => points.map(toLatLng)

/** Points around a place, for a view that shows all of it. */
export const borderCorners = (place: Geofence): LatLng[] => (place.shape ? pointsOf(place.shape) : boxCorners(place))
