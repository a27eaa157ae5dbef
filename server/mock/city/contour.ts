import { height, width } from './grid.ts'

type Point = [x: number, y: number]

/**
 * Traces rings around the positive cells of a field (marching squares, in cell coordinates). Cells outside the grid count as negative, so
 * every ring closes.
 */
export function contour(field: Float32Array): Point[][] {
  // Each crossed grid edge has one ring arriving and one leaving, so rings can be walked from edge to edge.
  const next = new Map<number, { to: number; at: Point }>()
  const value = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? -1 : field[y * width + x]!)

  for (let y = -1; y < height; y++) {
    for (let x = -1; x < width; x++) {
      const [nw, ne, se, sw] = [value(x, y), value(x + 1, y), value(x + 1, y + 1), value(x, y + 1)]
      const shape = (nw > 0 ? 8 : 0) | (ne > 0 ? 4 : 0) | (se > 0 ? 2 : 0) | (sw > 0 ? 1 : 0)
      if (shape === 0 || shape === 15) continue
      const sides = {
        n: { edge: horizontal(x, y), at: [x + share(nw, ne), y] as Point },
        e: { edge: vertical(x + 1, y), at: [x + 1, y + share(ne, se)] as Point },
        s: { edge: horizontal(x, y + 1), at: [x + share(sw, se), y + 1] as Point },
        w: { edge: vertical(x, y), at: [x, y + share(nw, sw)] as Point },
      }
      for (const [from, to] of turns[shape]!) next.set(sides[from].edge, { to: sides[to].edge, at: sides[from].at })
    }
  }
  return walk(next)
}

type Side = 'n' | 'e' | 's' | 'w'
/**
 * By bit mask of the positive corners (8 north-west, 4 north-east, 2 south-east, 1 south-west): the paths through the square, with the
 * positive side on the right.
 */
const turns: Record<number, [Side, Side][]> = {
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

const stride = width + 2
const horizontal = (x: number, y: number) => ((y + 1) * stride + x + 1) * 2
const vertical = (x: number, y: number) => horizontal(x, y) + 1
const share = (a: number, b: number) => a / (a - b)

function walk(next: Map<number, { to: number; at: Point }>): Point[][] {
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
