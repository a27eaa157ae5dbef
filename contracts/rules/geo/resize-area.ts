import { EARTH_RADIUS_METERS, unwrap } from './coordinates.ts'
import { type Polygon, pointOfOutline, projectShape, type ShapePoint } from './shape.ts'
import { tidyShape } from './shape-faults.ts'

/** A corner moves at most this many times as far as its edges. */
const MAX_REACH = 3

/**
 * Returns an area whose edges are so many metres further out, or further in if negative. The edges stay parallel, except at corners sharper than 39°,
 * which would move too far. The result may be faulty: an area that gets too narrow crosses itself.
 */
export function resizeArea(area: Polygon, meters: number): Polygon {
  const outline = projectShape(area)
  const { xs, ys } = outline
  const count = xs.length
  const at = (index: number): Point => [xs[(index + count) % count]!, ys[(index + count) % count]!]
  const side = isCounterclockwise(xs, ys) ? 1 : -1
  const points = area.points.map((_, index): ShapePoint => {
    const [before, corner, after] = [at(index - 1), at(index), at(index + 1)]
    const [ax, ay] = outwards(before, corner, side)
    const [bx, by] = outwards(corner, after, side)
    // On the map a metre is larger the further it is from the equator.
    const scale = (meters / EARTH_RADIUS_METERS) * Math.cosh(corner[1])
    const turn = 1 + ax * bx + ay * by
    const length = scale * Math.min(1 / turn, MAX_REACH / Math.sqrt(2 * turn))
    const { lat, lng } = pointOfOutline(outline, corner[0] + (ax + bx) * length, corner[1] + (ay + by) * length)
    return [lat, unwrap(lng, 0)]
  })
  return tidyShape({ type: 'polygon', points })
}

type Point = [x: number, y: number]

/** The direction, of length 1, that points out of the area at an edge. */
function outwards([fromX, fromY]: Point, [toX, toY]: Point, side: number): Point {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const length = Math.hypot(dx, dy)
  return [(side * dy) / length, (-side * dx) / length]
}

function isCounterclockwise(xs: Float64Array, ys: Float64Array) {
  let area = 0
  for (let index = 0, before = xs.length - 1; index < xs.length; before = index++)
    area += xs[before]! * ys[index]! - xs[index]! * ys[before]!
  return area > 0
}
