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

/** Returns the part on the side of `limit` that `sign` points to, along axis 0 or 1. */
function clipSide(ring: Point[], axis: 0 | 1, limit: number, sign: 1 | -1): Point[] {
  const isInside = (point: Point) => (point[axis] - limit) * sign >= 0
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1)!
    const passes = isInside(point) !== isInside(before)
    const inside = isInside(point) ? [point] : []
    return passes ? [intersect(before, point, axis, limit), ...inside] : inside
  })
}

function intersect(a: Point, b: Point, axis: 0 | 1, limit: number): Point {
  const share = (limit - a[axis]) / (b[axis] - a[axis])
  const other = axis === 0 ? a[1] + (b[1] - a[1]) * share : a[0] + (b[0] - a[0]) * share
  return axis === 0 ? [limit, other] : [other, limit]
}

/** Drops the points of a line that lie within `tolerance` of what remains (Douglas–Peucker). */
export function simplify<P extends [number, number]>(line: P[], tolerance: number): P[] {
  const isKept = new Uint8Array(line.length)
  isKept[0] = 1
  isKept[line.length - 1] = 1
  const spans: [number, number][] = [[0, line.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [start, end] = span
    let furthest = start
    let most = tolerance
    for (let at = start + 1; at < end; at++) {
      const off = distanceToSegment(line[at]!, line[start]!, line[end]!)
      if (off > most) {
        most = off
        furthest = at
      }
    }
    if (furthest === start) continue
    isKept[furthest] = 1
    spans.push([start, furthest], [furthest, end])
  }
  return line.filter((_, at) => isKept[at] === 1)
}

/** Distance from a point to a segment, or to its end when both ends coincide, as at the seam of a ring. */
function distanceToSegment([x, y]: [number, number], [ax, ay]: [number, number], [bx, by]: [number, number]) {
  const [dx, dy] = [bx - ax, by - ay]
  const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(ax + share * dx - x, ay + share * dy - y)
}
