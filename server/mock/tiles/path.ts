import type { Point } from './fit-tile.ts'

/** SVG path data in whole units, each point told from the one before, with no space that can be left out. */
export function pathOf(lines: Point[][], isClosed: boolean): string {
  let data = ''
  let [penX, penY] = [0, 0]
  for (const line of lines) {
    let steps = ''
    let [startX, startY] = [0, 0]
    line.forEach(([exactX, exactY], index) => {
      const [x, y] = [Math.round(exactX), Math.round(exactY)]
      if (index === 0) {
        startX = x
        startY = y
        steps = `m${pair(x - penX, y - penY)}l`
      } else if (x !== penX || y !== penY) {
        const step = pair(x - penX, y - penY)
        steps += steps.endsWith('l') || step.startsWith('-') ? step : ` ${step}`
      }
      penX = x
      penY = y
    })
    if (steps.endsWith('l')) {
      // Smaller than a unit: nothing is drawn, and the pen has not moved for the lines that follow.
      steps = ''
      penX = startX
      penY = startY
      data += `m${pair(0, 0)}`.slice(0, 0)
    }
    data += steps + (isClosed && steps ? 'z' : '')
    if (isClosed && steps) {
      penX = startX
      penY = startY
    }
  }
  return data
}

const pair = (x: number, y: number) => (y < 0 ? `${x}${y}` : `${x} ${y}`)
