import { encloseShape, findInnerRadius } from './measure-shape.ts'
import { projectShape, SHAPE_LIMITS, type Shape, type ShapePoint } from './shape.ts'

/** Digits after the point of a coordinate: about 10 cm. */
const DIGITS = 6
/** Web Mercator ends here. */
export const MAX_LATITUDE = 85
/** The least metres from the border to the middle of an area. */
export const MIN_INNER_RADIUS = 20

/** Why a shape is refused; `edges` are the numbers of two edges that meet, counted from 1. */
export type ShapeFault =
  | { reason: 'few_points' | 'too_far_north' | 'too_narrow' | 'too_large' }
  | { reason: 'crossing'; edges: [number, number] }

/** Rounds the points, and leaves out repeated ones and an end that repeats the start of an area. */
export function tidyShape<S extends Shape>(shape: S): S {
  const points: ShapePoint[] = []
  for (const [lat, lng] of shape.points) {
    const point: ShapePoint = [round(lat), round(lng)]
    if (!isSame(points.at(-1), point)) points.push(point)
  }
  while (shape.type === 'polygon' && points.length > 1 && isSame(points.at(-1), points[0])) points.pop()
  return { ...shape, points }
}

const round = (value: number) => Number(value.toFixed(DIGITS))
const isSame = (a: ShapePoint | undefined, b: ShapePoint | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1]

/** The first fault of a tidy shape, or null. */
export function findShapeFault(shape: Shape): ShapeFault | null {
  const limits = SHAPE_LIMITS[shape.type]
  if (shape.points.length < limits.points.min) return { reason: 'few_points' }
  if (shape.points.some(([lat]) => Math.abs(lat) > MAX_LATITUDE)) return { reason: 'too_far_north' }
  if (encloseShape(shape).radius > limits.extent / 2) return { reason: 'too_large' }
  const edges = shape.type === 'polygon' ? findCrossingEdges(shape) : null
  if (edges) return { reason: 'crossing', edges }
  return findInnerRadius(shape) < MIN_INNER_RADIUS ? { reason: 'too_narrow' } : null
}

/** The numbers of two edges of an area that cross, touch or lie on each other, counted from 1; null if there are none. */
export function findCrossingEdges(shape: Shape): [number, number] | null {
  const { xs, ys } = projectShape(shape)
  const count = xs.length
  const at = (index: number): Point => [xs[index % count]!, ys[index % count]!]
  for (let first = 0; first < count; first++) {
    for (let second = first + 1; second < count; second++) {
      const [a, b, c, d] = [at(first), at(first + 1), at(second), at(second + 1)]
      const meets = second === first + 1 ? foldsBack(a, b, d) : first === 0 && second === count - 1 ? foldsBack(b, a, c) : meet(a, b, c, d)
      if (meets) return [first + 1, second + 1]
    }
  }
  return null
}

type Point = [x: number, y: number]

/** Twice the area of a triangle: positive if `c` is to the left of the way from `a` to `b`. */
const turn = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** Whether the edge after a corner returns on the one before it. */
const foldsBack = (from: Point, corner: Point, to: Point) =>
  turn(from, corner, to) === 0 && (from[0] - corner[0]) * (to[0] - corner[0]) + (from[1] - corner[1]) * (to[1] - corner[1]) > 0

function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [sideC, sideD, sideA, sideB] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (sideC === 0 && isBetween(a, b, c)) return true
  if (sideD === 0 && isBetween(a, b, d)) return true
  if (sideA === 0 && isBetween(c, d, a)) return true
  if (sideB === 0 && isBetween(c, d, b)) return true
  return sideC > 0 !== sideD > 0 && sideA > 0 !== sideB > 0 && sideC !== 0 && sideD !== 0 && sideA !== 0 && sideB !== 0
}

/** Whether a point of a line is on the part of it between two others. */
const isBetween = (a: Point, b: Point, on: Point) =>
  Math.min(a[0], b[0]) <= on[0] && on[0] <= Math.max(a[0], b[0]) && Math.min(a[1], b[1]) <= on[1] && on[1] <= Math.max(a[1], b[1])
