import L from 'leaflet'
import { type LatLng, unwrap } from '#contracts/rules/geo/coordinates.ts'

/** Pixels of the map that floating elements cover. */
export type Padding = { top: number; right: number; bottom: number; left: number }

export const NO_PADDING: Padding = { top: 0, right: 0, bottom: 0, left: 0 }

/** Margin in pixels, so that no pin touches the edge. */
const AIR = 36
/** Pixels of the map, in each direction, into which points are fitted at least. */
const LEAST_ROOM = 48
/** Size of the bottom right corner in which the map's buttons would hide a pin, and the extra margin that avoids it. */
const TOOLS = { width: 80, height: 260, beyondAir: 44 }
/** Street level; the map never zooms closer by itself. */
const NEAR_ZOOM = 16
const FAR_ZOOM = 3
/** Initial view without any point: Europe and its surroundings. */
const WORLD: [number, number] = [38, 8]

export const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

const latLngBounds = (points: readonly LatLng[]) => L.latLngBounds(points.map(({ lat, lng }): [number, number] => [lat, lng]))

/** Moves the points to one side: if the way over the date line is shorter, those east of it continue the degrees. */
function gather(points: readonly LatLng[]): readonly LatLng[] {
  const eastward = points.map(({ lat, lng }) => ({ lat, lng: lng < 0 ? lng + FULL_CIRCLE : lng }))
  // Adding a circle rounds, so that of equal spans one may look shorter.
  return spanOf(eastward) < spanOf(points) - 1e-6 ? eastward : points
}

const FULL_CIRCLE = 360

function spanOf(points: readonly LatLng[]) {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { lng } of points) [west, east] = [Math.min(west, lng), Math.max(east, lng)]
  return east - west
}

/** A place on the copy of the world that is nearest to the middle of the map, in Leaflet's form. */
export const placeOn = (map: L.Map, { lat, lng }: LatLng): [lat: number, lng: number] => [lat, unwrap(lng, map.getCenter().lng)]

/** The initial view, before the map knows its size: the middle of all points. */
export const initialView = (points: readonly LatLng[]): { center: L.LatLngExpression; zoom: number } =>
  points.length > 0 ? { center: latLngBounds(gather(points)).getCenter(), zoom: 13 } : { center: WORLD, zoom: FAR_ZOOM }

/** Brings all points into the uncovered part of the map. Jumps instead of flying when the user prefers reduced motion. */
export function showAll(map: L.Map, all: readonly LatLng[], covered: Padding, { animate = true } = {}) {
  const points = gather(all)
  if (points.length === 0 || map.getSize().x === 0) return
  const padding = shrinkPadding(covered, map.getSize())
  const whole = fitView(map, points, padding)
  const { centre, zoom } = isUnderTools(map, points, padding, whole)
    ? fitView(map, points, shrinkPadding({ ...padding, right: padding.right + TOOLS.beyondAir }, map.getSize()))
    : whole
  map.setView(centre, zoom, { animate: animate && !prefersReducedMotion() })
}

/** Whether a point is in the uncovered part of the map. */
export function isInView(map: L.Map, at: LatLng, { top, right, bottom, left }: Padding) {
  const [{ x, y }, size] = [map.latLngToContainerPoint(placeOn(map, at)), map.getSize()]
  return x >= left && y >= top && x <= size.x - right && y <= size.y - bottom
}

/** A card may cover so much of a small window that no room is left: then it covers some of the points, too. */
function shrinkPadding({ top, right, bottom, left }: Padding, { x, y }: L.Point): Padding {
  const share = (sum: number, size: number) => Math.min(1, Math.max(0, size - 2 * AIR - LEAST_ROOM) / Math.max(1, sum))
  const [wide, high] = [share(left + right, x), share(top + bottom, y)]
  return { top: top * high, right: right * wide, bottom: bottom * high, left: left * wide }
}

type View = { centre: L.LatLng; zoom: number }

function fitView(map: L.Map, points: readonly LatLng[], padding: Padding): View {
  const bounds = latLngBounds(points)
  const room = L.point(padding.left + padding.right + 2 * AIR, padding.top + padding.bottom + 2 * AIR)
  const zoom = Math.min(map.getBoundsZoom(bounds, false, room), NEAR_ZOOM)
  const middle = map.project(bounds.getSouthWest(), zoom).add(map.project(bounds.getNorthEast(), zoom)).divideBy(2)
  return { centre: offsetCentre(map, map.unproject(middle, zoom), padding, zoom), zoom }
}

function isUnderTools(map: L.Map, points: readonly LatLng[], { right, bottom }: Padding, { centre, zoom }: View) {
  const corner = map.project(centre, zoom).add(map.getSize().divideBy(2)).subtract([right, bottom])
  return points.some((point) => {
    const { x, y } = map.project([point.lat, point.lng], zoom)
    return x > corner.x - TOOLS.width && y > corner.y - TOOLS.height
  })
}

/** Moves a point to the middle of the uncovered part, at street level or closer. */
export function flyTo(map: L.Map, at: LatLng, padding: Padding, zoom = Math.max(map.getZoom(), NEAR_ZOOM - 1)) {
  const target = offsetCentre(map, at, padding, zoom)
  if (prefersReducedMotion() || map.getSize().x === 0) map.setView(target, zoom, { animate: false })
  else map.flyTo(target, zoom, { duration: 0.9 })
}

export function keepInView(map: L.Map, at: LatLng, padding: Padding, { animate = true } = {}) {
  map.panTo(offsetCentre(map, at, padding, map.getZoom()), { animate: animate && !prefersReducedMotion(), duration: 0.6 })
}

const offsetCentre = (map: L.Map, at: LatLng, { top, right, bottom, left }: Padding, zoom: number) =>
  map.unproject(map.project(placeOn(map, at), zoom).subtract([(left - right) / 2, (top - bottom) / 2]), zoom)
