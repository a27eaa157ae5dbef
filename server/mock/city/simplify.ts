/** Drops the points of a line that lie within `tolerance` of what remains (Douglas–Peucker). */
export function simplify<P extends [number, number]>(line: P[], tolerance: number): P[] {
  const kept = new Uint8Array(line.length)
  kept[0] = 1
  kept[line.length - 1] = 1
  const spans: [number, number][] = [[0, line.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [start, end] = span
    let furthest = start
    let most = tolerance
    for (let at = start + 1; at < end; at++) {
      const off = distance(line[at]!, line[start]!, line[end]!)
      if (off > most) {
        most = off
        furthest = at
      }
    }
    if (furthest === start) continue
    kept[furthest] = 1
    spans.push([start, furthest], [furthest, end])
  }
  return line.filter((_, at) => kept[at] === 1)
}

/** Distance from a point to a segment, or to its end when both ends coincide, as at the seam of a ring. */
function distance([x, y]: [number, number], [ax, ay]: [number, number], [bx, by]: [number, number]) {
  const [dx, dy] = [bx - ax, by - ay]
  const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(ax + share * dx - x, ay + share * dy - y)
}
