import L from 'leaflet'
import type { LatLng } from '#contracts/rules/geo.ts'

/** Pixels of the map that something floating covers. */
export type Padding = { top: number; right: number; bottom: number; left: number }

export const NO_PADDING: Padding = { top: 0, right: 0, bottom: 0, left: 0 }

/** Room around what is shown, so that no pin touches the edge. */
const AIR = 36
/** The corner at the bottom right in which a pin would be under the buttons, and how much wider than the air it is. */
const TOOLS = { width: 80, height: 260, beyondAir: 44 }
/** Close enough to read the street; nothing is shown closer on its own. */
const NEAR_ZOOM = 16
const FAR_ZOOM = 3
/** What a map without any point shows: the continents most of our languages are spoken in. */
const WORLD: [number, number] = [38, 8]

/** Whether the person has asked for less motion. */
export const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

const boundsOf = (points: readonly LatLng[]) => L.latLngBounds(points.map(({ lat, lng }): [number, number] => [lat, lng]))

/** Where a map opens before it knows its size: in the middle of all points. */
export const startView = (points: readonly LatLng[]): { center: L.LatLngExpression; zoom: number } =>
  points.length > 0 ? { center: boundsOf(points).getCenter(), zoom: 13 } : { center: WORLD, zoom: FAR_ZOOM }

/** Shows all points within what is not covered; jumps instead of flying for whoever asked for less motion. */
export function showAll(map: L.Map, points: readonly LatLng[], padding: Padding, { animate = true } = {}) {
  if (points.length === 0 || map.getSize().x === 0) return
  const whole = viewOf(map, points, padding)
  const { centre, zoom } = isUnderTools(map, points, padding, whole)
    ? viewOf(map, points, { ...padding, right: padding.right + TOOLS.beyondAir })
    : whole
  map.setView(centre, zoom, { animate: animate && !isCalm() })
}

type View = { centre: L.LatLng; zoom: number }

/** The closest view that holds all points, with some air. */
function viewOf(map: L.Map, points: readonly LatLng[], padding: Padding): View {
  const bounds = boundsOf(points)
  const room = L.point(padding.left + padding.right + 2 * AIR, padding.top + padding.bottom + 2 * AIR)
  const zoom = Math.min(map.getBoundsZoom(bounds, false, room), NEAR_ZOOM)
  const middle = map.project(bounds.getSouthWest(), zoom).add(map.project(bounds.getNorthEast(), zoom)).divideBy(2)
  return { centre: centreFor(map, map.unproject(middle, zoom), padding, zoom), zoom }
}

/** Whether a point would lie under the buttons of the map. */
function isUnderTools(map: L.Map, points: readonly LatLng[], { right, bottom }: Padding, { centre, zoom }: View) {
  const corner = map.project(centre, zoom).add(map.getSize().divideBy(2)).subtract([right, bottom])
  return points.some((point) => {
    const { x, y } = map.project([point.lat, point.lng], zoom)
    return x > corner.x - TOOLS.width && y > corner.y - TOOLS.height
  })
}

/** Brings one point to the middle of what is not covered, at least at street level. */
export function flyTo(map: L.Map, at: LatLng, padding: Padding, zoom = Math.max(map.getZoom(), NEAR_ZOOM - 1)) {
  const target = centreFor(map, at, padding, zoom)
  if (isCalm() || map.getSize().x === 0) map.setView(target, zoom, { animate: false })
  else map.flyTo(target, zoom, { duration: 0.9 })
}

/** Slides one point back to the middle, at the zoom as it is. */
export function keepInView(map: L.Map, at: LatLng, padding: Padding) {
  map.panTo(centreFor(map, at, padding, map.getZoom()), { animate: !isCalm(), duration: 0.6 })
}

const centreFor = (map: L.Map, { lat, lng }: LatLng, { top, right, bottom, left }: Padding, zoom: number) =>
  map.unproject(map.project([lat, lng], zoom).subtract([(left - right) / 2, (top - bottom) / 2]), zoom)
