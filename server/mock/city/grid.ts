import type { Position } from './city.ts'
import { block, columnOfLng, latOfRow, lngOfColumn, rowOfLat } from './frame.ts'

/** Cells of 15.7 m over the city's block of tiles, with a rim around it. */
const PER_TILE = 512
export const RIM = 16
export const width = block.columns * PER_TILE + 2 * RIM
export const height = block.rows * PER_TILE + 2 * RIM

/** One byte per cell, row by row from the north-west; 1 is set. */
export type Mask = Uint8Array
export const emptyMask = (): Mask => new Uint8Array(width * height)

/** Cell coordinates of a position; the centre of a cell is at .5. */
export const toCell = ([lng, lat]: Position): [number, number] => [
  (columnOfLng(lng) - block.west) * PER_TILE + RIM,
  (rowOfLat(lat) - block.north) * PER_TILE + RIM,
]

export const fromCell = (x: number, y: number): Position => [
  lngOfColumn((x - RIM) / PER_TILE + block.west),
  latOfRow((y - RIM) / PER_TILE + block.north),
]

/** Marks the cells that a line passes; a single point marks its own cell. */
export function drawLine(mask: Mask, line: Position[]) {
  const cells = line.map(toCell)
  cells.forEach(([x, y], index) => {
    const [fromX, fromY] = cells[index - 1] ?? [x, y]
    const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) * 2) || 1
    for (let step = 0; step <= steps; step++) {
      const column = Math.floor(fromX + ((x - fromX) * step) / steps)
      const row = Math.floor(fromY + ((y - fromY) * step) / steps)
      if (column >= 0 && column < width && row >= 0 && row < height) mask[row * width + column] = 1
    }
  })
}

/** Marks the cells whose centres lie within the rings, by the even-odd rule. */
export function fillRings(mask: Mask, rings: Position[][]) {
  const crossings: number[][] = Array.from({ length: height }, () => [])
  for (const ring of rings) {
    const cells = ring.map(toCell)
    cells.forEach(([x, y], index) => {
      const [fromX, fromY] = cells.at(index - 1)!
      const [top, bottom] = y < fromY ? [y, fromY] : [fromY, y]
      const last = Math.min(height, Math.ceil(bottom - 0.5))
      for (let row = Math.max(0, Math.ceil(top - 0.5)); row < last; row++) {
        crossings[row]!.push(fromX + ((row + 0.5 - fromY) / (y - fromY)) * (x - fromX))
      }
    })
  }
  crossings.forEach((row, index) => {
    row.sort((a, b) => a - b)
    for (let at = 0; at + 1 < row.length; at += 2) {
      const start = Math.max(0, Math.ceil(row[at]! - 0.5))
      const end = Math.min(width, Math.ceil(row[at + 1]! - 0.5))
      if (end > start) mask.fill(1, index * width + start, index * width + end)
    }
  })
}
