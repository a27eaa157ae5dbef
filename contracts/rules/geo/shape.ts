import { EARTH_RADIUS_METERS, type LatLng, unwrap } from './coordinates.ts'

/** A corner or turn of a shape: latitude and longitude in degrees. */
export type ShapePoint = [lat: number, lng: number]

/** An area on the map. Its edges are straight on the map (Web Mercator), and the last point is joined to the first. */
export type Polygon = { type: 'polygon'; points: ShapePoint[] }

/** A way on the map and `width` metres on each side of it. */
export type Corridor = { type: 'corridor'; points: ShapePoint[]; width: number }

export type Shape = Polygon | Corridor

/** `width` in metres on each side, and the largest distance between two points of a shape in metres. */
export const SHAPE_LIMITS = {
  polygon: { points: { min: 3, max: 200 }, extent: 100_000 },
  corridor: { points: { min: 2, max: 500 }, extent: 500_000 },
  width: { min: 20, max: 2000, default: 100 },
} as const

/** In metres: of the circle around the longest way, and its width. */
export const MAX_SHAPE_RADIUS = 300_000

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (radians: number) => (radians * 180) / Math.PI

/**
 * A shape in radians of Web Mercator, east of the meridian of its first point. The projection keeps angles, so that
 * the nearest point of an edge is found there, and its distance by the scale between both points.
 */
type Outline = { xs: Float64Array; ys: Float64Array; meridian: number }

const outlines = new WeakMap<Shape, Outline>()

/** Projects a shape; the result is kept as long as the shape. */
export function projectShape(shape: Shape): Outline {
  const known = outlines.get(shape)
  if (known) return known
  const meridian = shape.points[0]?.[1] ?? 0
  let last = meridian
  const xs = shape.points.map(([, lng]) => {
    last = unwrap(lng, last)
    return radians(last - meridian)
  })
  const outline = { xs: Float64Array.from(xs), ys: Float64Array.from(shape.points, ([lat]) => mercator(lat)), meridian }
  outlines.set(shape, outline)
  return outline
}

const mercator = (lat: number) => Math.asinh(Math.tan(radians(lat)))

/** The point at these coordinates of an outline. */
export const pointOfOutline = ({ meridian }: Outline, x: number, y: number): LatLng => ({
  lat: degrees(Math.atan(Math.sinh(y))),
  lng: meridian + degrees(x),
})

/** Metres from a point to the border of a shape; negative inside. Within 100 km of it they are right to some metres. */
export function distanceToShape(point: LatLng, shape: Shape): number {
  const outline = projectShape(shape)
  const { xs, ys, meridian } = outline
  const isArea = shape.type === 'polygon'
  const x = radians(unwrap(point.lng, meridian + degrees(xs[xs.length >> 1] ?? 0)) - meridian)
  const y = mercator(point.lat)
  const start = isArea ? xs.length - 1 : 0
  let [fromX, fromY] = [xs[start]! - x, ys[start]! - y]
  let [nearY, least] = [fromY, fromX * fromX + fromY * fromY]
  let isInside = false
  for (let index = isArea ? 0 : 1; index < xs.length; index++) {
    const toX = xs[index]! - x
    const toY = ys[index]! - y
    const dx = toX - fromX
    const dy = toY - fromY
    const along = -(fromX * dx + fromY * dy)
    const square = dx * dx + dy * dy
    const share = along <= 0 ? 0 : along >= square ? 1 : along / square
    const footX = fromX + share * dx
    const footY = fromY + share * dy
    const distance = footX * footX + footY * footY
    if (distance < least) {
      least = distance
      nearY = footY
    }
    if (fromY > 0 !== toY > 0 && fromX - (fromY * dx) / dy > 0) isInside = !isInside
    fromX = toX
    fromY = toY
  }
  const meters = (EARTH_RADIUS_METERS * Math.sqrt(least)) / Math.cosh(y + nearY / 2)
  if (isArea) return isInside ? -meters : meters
  return meters - shape.width
}
