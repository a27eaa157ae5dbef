import type { Point } from './fit-tile.ts'

export function measureDistances(line: Point[]): number[] {
  let total = 0
  return line.map((point, index) => {
    const before = line[index - 1] ?? point
    total += Math.hypot(point[0] - before[0], point[1] - before[1])
    return total
  })
}

export function sliceLine(line: Point[], lengths: number[], from: number, to: number): Point[] {
  const between = line.filter((_, index) => lengths[index]! > from && lengths[index]! < to)
  return [pointAt(line, lengths, from), ...between, pointAt(line, lengths, to)]
}

export function pointAt(line: Point[], lengths: number[], distance: number): Point {
  const next = Math.max(
    1,
    lengths.findIndex((length) => length >= distance),
  )
  const [a, b] = [line[next - 1]!, line[next]!]
  const share = (distance - lengths[next - 1]!) / (lengths[next]! - lengths[next - 1]! || 1)
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/** The sharpest turn and the sum of all turns, in radians. */
export function measureTurns(line: Point[]): { sharpest: number; sum: number } {
  let [sharpest, sum] = [0, 0]
  for (let at = 1; at + 1 < line.length; at++) {
    const [a, b, c] = [line[at - 1]!, line[at]!, line[at + 1]!]
    const turn = Math.abs(Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.atan2(b[1] - a[1], b[0] - a[0]))
    const angle = Math.min(turn, 2 * Math.PI - turn)
    sharpest = Math.max(sharpest, angle)
    sum += angle
  }
  return { sharpest, sum }
}

/** Joins stretches that meet end to end, in whichever direction they were drawn. */
export function chainLines(stretches: Point[][]): Point[][] {
  const rest = stretches.map((line) => [...line])
  const lines: Point[][] = []
  for (let line = rest.pop(); line; line = rest.pop()) {
    for (let more = extendLine(line, rest); more; more = extendLine(line, rest)) line = more
    lines.push(line)
  }
  return lines
}

/** Extends the line at either end with one of `rest`, which is removed from `rest`; null when none fits. */
function extendLine(line: Point[], rest: Point[][]): Point[] | null {
  for (let index = 0; index < rest.length; index++) {
    const joined = joinLines(line, rest[index]!) ?? joinLines(line, rest[index]!.toReversed())
    if (!joined) continue
    rest.splice(index, 1)
    return joined
  }
  return null
}

function joinLines(a: Point[], b: Point[]): Point[] | null {
  if (isSamePoint(a.at(-1)!, b[0]!)) return [...a, ...b.slice(1)]
  return isSamePoint(b.at(-1)!, a[0]!) ? [...b, ...a.slice(1)] : null
}

const isSamePoint = (a: Point, b: Point) => Math.abs(a[0] - b[0]) < 1 && Math.abs(a[1] - b[1]) < 1
