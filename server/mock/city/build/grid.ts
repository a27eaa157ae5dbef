import type { Position } from '#server/mock/city/city.ts'
import { columnOfLng, latOfRow, lngOfColumn, rowOfLat, TILE_BLOCK } from '#server/mock/city/frame.ts'

/** Cells of 15.7 m over the city's block of tiles, with a rim around it. */
const PER_TILE = 512
export const RIM = 16
export const GRID_WIDTH = TILE_BLOCK.columns * PER_TILE + 2 * RIM
export const GRID_HEIGHT = TILE_BLOCK.rows * PER_TILE + 2 * RIM

/** One byte per cell, row by row from the north-west; 1 is set. */
export type Mask = Uint8Array
export const emptyMask = (): Mask => new Uint8Array(GRID_WIDTH * GRID_HEIGHT)

/** Cell coordinates of a position; the centre of a cell is at .5. */
export const toCell = ([lng, lat]: Position): [number, number] => [
  (columnOfLng(lng) - TILE_BLOCK.west) * PER_TILE + RIM,
  (rowOfLat(lat) - TILE_BLOCK.north) * PER_TILE + RIM,
]

export const fromCell = (x: number, y: number): Position => [
  lngOfColumn((x - RIM) / PER_TILE + TILE_BLOCK.west),
  latOfRow((y - RIM) / PER_TILE + TILE_BLOCK.north),
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
      if (column >= 0 && column < GRID_WIDTH && row >= 0 && row < GRID_HEIGHT) mask[row * GRID_WIDTH + column] = 1
    }
  })
}

/** Marks the cells whose centres lie within the rings, by the even-odd rule. */
export function fillRings(mask: Mask, rings: Position[][]) {
  const crossings: number[][] = Array.from({ length: GRID_HEIGHT }, () => [])
  for (const ring of rings) {
    const cells = ring.map(toCell)
    cells.forEach(([x, y], index) => {
      const [fromX, fromY] = cells.at(index - 1)!
      const [top, bottom] = y < fromY ? [y, fromY] : [fromY, y]
      const last = Math.min(GRID_HEIGHT, Math.ceil(bottom - 0.5))
      for (let row = Math.max(0, Math.ceil(top - 0.5)); row < last; row++) {
        crossings[row]!.push(fromX + ((row + 0.5 - fromY) / (y - fromY)) * (x - fromX))
      }
    })
  }
  crossings.forEach((row, index) => {
    row.sort((a, b) => a - b)
    for (let at = 0; at + 1 < row.length; at += 2) {
      const start = Math.max(0, Math.ceil(row[at]! - 0.5))
      const end = Math.min(GRID_WIDTH, Math.ceil(row[at + 1]! - 0.5))
      if (end > start) mask.fill(1, index * GRID_WIDTH + start, index * GRID_WIDTH + end)
    }
  })
}

const FAR = 1e12

/** The exact distance in cells from each cell to the nearest cell that is `value` in the mask (Felzenszwalb's distance transform). */
export function computeDistances(mask: Mask, value: 0 | 1): Float32Array {
  const field = new Float32Array(mask.length)
  for (let cell = 0; cell < mask.length; cell++) field[cell] = mask[cell] === value ? 0 : FAR
  const sweep = createSweep(Math.max(GRID_WIDTH, GRID_HEIGHT))
  for (let column = 0; column < GRID_WIDTH; column++) sweep(field, column, GRID_WIDTH, GRID_HEIGHT)
  for (let row = 0; row < GRID_HEIGHT; row++) sweep(field, row * GRID_WIDTH, 1, GRID_WIDTH)
  for (let cell = 0; cell < field.length; cell++) field[cell] = Math.sqrt(field[cell]!)
  return field
}

/** Turns squared distances along one row or column into squared distances in both directions, using the lower envelope of parabolas. */
function createSweep(longest: number) {
  const values = new Float64Array(longest)
  const vertices = new Uint32Array(longest)
  const borders = new Float64Array(longest + 1)

  return (field: Float32Array, start: number, step: number, length: number) => {
    for (let at = 0; at < length; at++) values[at] = field[start + at * step]!
    let top = 0
    vertices[0] = 0
    borders[0] = -FAR
    borders[1] = FAR
    for (let at = 1; at < length; at++) {
      let border = crossing(at, vertices[top]!)
      while (border <= borders[top]!) border = crossing(at, vertices[--top]!)
      vertices[++top] = at
      borders[top] = border
      borders[top + 1] = FAR
    }
    top = 0
    for (let at = 0; at < length; at++) {
      while (borders[top + 1]! < at) top++
      const vertex = vertices[top]!
      field[start + at * step] = (at - vertex) ** 2 + values[vertex]!
    }
  }

  function crossing(a: number, b: number) {
    return (values[a]! + a * a - values[b]! - b * b) / (2 * (a - b))
  }
}

type Point = [x: number, y: number]

/**
 * Traces rings around the positive cells of a field (marching squares, in cell coordinates). Cells outside the grid count as negative, so
 * every ring closes.
 */
export function traceContours(field: Float32Array): Point[][] {
  // Each crossed grid edge has one ring arriving and one leaving, so rings can be walked from edge to edge.
  const next = new Map<number, { to: number; at: Point }>()
  const value = (x: number, y: number) => (x < 0 || y < 0 || x >= GRID_WIDTH || y >= GRID_HEIGHT ? -1 : field[y * GRID_WIDTH + x]!)

  for (let y = -1; y < GRID_HEIGHT; y++) {
    for (let x = -1; x < GRID_WIDTH; x++) {
      const [nw, ne, se, sw] = [value(x, y), value(x + 1, y), value(x + 1, y + 1), value(x, y + 1)]
      const shape = (nw > 0 ? 8 : 0) | (ne > 0 ? 4 : 0) | (se > 0 ? 2 : 0) | (sw > 0 ? 1 : 0)
      if (shape === 0 || shape === 15) continue
      const sides = {
        n: { edge: horizontal(x, y), at: [x + crossingShare(nw, ne), y] as Point },
        e: { edge: vertical(x + 1, y), at: [x + 1, y + crossingShare(ne, se)] as Point },
        s: { edge: horizontal(x, y + 1), at: [x + crossingShare(sw, se), y + 1] as Point },
        w: { edge: vertical(x, y), at: [x, y + crossingShare(nw, sw)] as Point },
      }
      for (const [from, to] of PATHS_BY_CORNERS[shape]!) next.set(sides[from].edge, { to: sides[to].edge, at: sides[from].at })
    }
  }
  return collectRings(next)
}

type Side = 'n' | 'e' | 's' | 'w'
/**
 * By bit mask of the positive corners (8 north-west, 4 north-east, 2 south-east, 1 south-west): the paths through the square, with the
 * positive side on the right.
 */
const PATHS_BY_CORNERS: Record<number, [Side, Side][]> = {
  1: [['s', 'w']],
  2: [['e', 's']],
  3: [['e', 'w']],
  4: [['n', 'e']],
  5: [
    ['s', 'w'],
    ['n', 'e'],
  ],
  6: [['n', 's']],
  7: [['n', 'w']],
  8: [['w', 'n']],
  9: [['s', 'n']],
  10: [
    ['w', 'n'],
    ['e', 's'],
  ],
  11: [['e', 'n']],
  12: [['w', 'e']],
  13: [['s', 'e']],
  14: [['w', 's']],
}

const STRIDE = GRID_WIDTH + 2
const horizontal = (x: number, y: number) => ((y + 1) * STRIDE + x + 1) * 2
const vertical = (x: number, y: number) => horizontal(x, y) + 1
const crossingShare = (a: number, b: number) => a / (a - b)

function collectRings(next: Map<number, { to: number; at: Point }>): Point[][] {
  const rings: Point[][] = []
  for (const start of next.keys()) {
    const ring: Point[] = []
    for (let edge = next.get(start); edge; ) {
      ring.push([edge.at[0] + 0.5, edge.at[1] + 0.5])
      const { to } = edge
      edge = to === start ? undefined : next.get(to)
      next.delete(to)
    }
    next.delete(start)
    if (ring.length > 2) rings.push([...ring, ring[0]!])
  }
  return rings
}
