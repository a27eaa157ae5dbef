type Point = [number, number]
type Box = { south: number; west: number; north: number; east: number }

/** Clips a ring to a box and closes it along the box's sides (Sutherland–Hodgman); empty when no part lies within. */
export function clipRing<P extends Point>(ring: P[], box: Box): Point[] {
  const west = clipSide(ring, 0, box.west, 1)
  const east = clipSide(west, 0, box.east, -1)
  const south = clipSide(east, 1, box.south, 1)
  const clipped = clipSide(south, 1, box.north, -1)
  const first = clipped[0]
  return first ? [...clipped, first] : []
}

/** Keeps the part on the side of `limit` that `sign` points to, along axis 0 or 1. */
function clipSide(ring: Point[], axis: 0 | 1, limit: number, sign: 1 | -1): Point[] {
  const isInside = (point: Point) => (point[axis] - limit) * sign >= 0
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1)!
    const passes = isInside(point) !== isInside(before)
    const kept = isInside(point) ? [point] : []
    return passes ? [cross(before, point, axis, limit), ...kept] : kept
  })
}

function cross(a: Point, b: Point, axis: 0 | 1, limit: number): Point {
  const share = (limit - a[axis]) / (b[axis] - a[axis])
  const other = axis === 0 ? a[1] + (b[1] - a[1]) * share : a[0] + (b[0] - a[0]) * share
  return axis === 0 ? [limit, other] : [other, limit]
}
