import type { Point } from './fit-tile.ts'

/** Formats lines as SVG path data in whole units with relative steps; lines smaller than a unit are left out. */
export function formatPath(lines: Point[][], isClosed: boolean): string {
  let data = ''
  let pen: Point = [0, 0]
  for (const line of lines) {
    const points = roundPoints(line)
    const start = points[0]
    if (!start || points.length < 2) continue
    let at = start
    data += `m${pair(at[0] - pen[0], at[1] - pen[1])}l`
    points.slice(1).forEach((point, index) => {
      const step = pair(point[0] - at[0], point[1] - at[1])
      data += index === 0 || step.startsWith('-') ? step : ` ${step}`
      at = point
    })
    pen = isClosed ? start : at
    if (isClosed) data += 'z'
  }
  return data
}

const pair = (x: number, y: number) => (y < 0 ? `${x}${y}` : `${x} ${y}`)

function roundPoints(line: Point[]): Point[] {
  const points: Point[] = []
  for (const [exactX, exactY] of line) {
    const [x, y] = [Math.round(exactX), Math.round(exactY)]
    const last = points.at(-1)
    if (!last || last[0] !== x || last[1] !== y) points.push([x, y])
  }
  return points
}
