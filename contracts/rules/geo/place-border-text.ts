import { PLACE_RADIUS } from './place.ts'
import { type Corridor, SHAPE_LIMITS, type Shape, type ShapePoint } from './shape.ts'
import { findShapeFault, tidyShape } from './shape-faults.ts'

/** The border of a place: a shape, or a circle. */
export type PlaceBorder = { shape: Shape } | { shape: null; lat: number; lng: number; radius: number }

type Circle = { lat: number; lng: number; radius: number; shape?: Shape | undefined }

const formatPoint = ([lat, lng]: ShapePoint) => `${lng} ${lat}`

/**
 * A border as well-known text, which map programs read: a circle as its middle, an area as a polygon, a way as its line. `meters`: the radius
 * of a circle, or the width of a way on each side.
 */
export function formatBorder({ lat, lng, radius, shape }: Circle): { border: string; meters: number | null } {
  if (!shape) return { border: `POINT (${formatPoint([lat, lng])})`, meters: radius }
  const points = shape.points.map(formatPoint)
  if (shape.type === 'corridor') return { border: `LINESTRING (${points.join(', ')})`, meters: shape.width }
  return { border: `POLYGON ((${[...points, points[0]].join(', ')}))`, meters: null }
}

const KINDS = [
  ['point', /^POINT\s*\(([^()]*)\)$/i],
  ['corridor', /^LINESTRING\s*\(([^()]*)\)$/i],
  ['polygon', /^POLYGON\s*\(\s*\(([^()]*)\)\s*\)$/i],
] as const

/** Reads a border and the metres beside it; without metres a circle and a way get the usual ones. Null if it is no valid border. */
export function parseBorder(text: string, meters: number | null): PlaceBorder | null {
  for (const [kind, pattern] of KINDS) {
    const inner = pattern.exec(text)?.[1]
    const points = inner === undefined ? null : parsePoints(inner)
    if (!points) continue
    const [first] = points
    if (kind === 'point')
      return points.length === 1 ? { shape: null, lat: first![0], lng: first![1], radius: meters ?? PLACE_RADIUS.default } : null
    return checkShape(kind === 'polygon' ? { type: kind, points: openRing(points) } : toCorridor(points, meters))
  }
  return null
}

const toCorridor = (points: ShapePoint[], meters: number | null): Corridor => ({
  type: 'corridor',
  points,
  width: meters ?? SHAPE_LIMITS.width.default,
})

function checkShape(given: Shape): PlaceBorder | null {
  const { max } = SHAPE_LIMITS[given.type].points
  if (given.points.length > max) return null
  const shape = tidyShape(given)
  return findShapeFault(shape) ? null : { shape }
}

/** The corners of a ring without the last one, which repeats the first. */
function openRing(points: ShapePoint[]) {
  const [first, last] = [points[0]!, points.at(-1)!]
  return points.length > 1 && first[0] === last[0] && first[1] === last[1] ? points.slice(0, -1) : points
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function parsePoints(text: string): ShapePoint[] | null {
  const points: ShapePoint[] = []
  for (const pair of text.split(',')) {
    const [lng, lat, ...more] = pair.trim().split(/\s+/)
    if (lng === undefined || lat === undefined || more.length > 0 || !NUMBER.test(lng) || !NUMBER.test(lat)) return null
    const point: ShapePoint = [Number(lat), Number(lng)]
    if (Math.abs(point[0]) > 90 || Math.abs(point[1]) > 180) return null
    points.push(point)
  }
  return points
}
