import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Position } from './city.ts'
import { distanceTo } from './distance.ts'
import { drawLine, emptyMask, fillRings, fromCell, height, type Mask, width } from './grid.ts'

const marked = (mask: Mask) => {
  const cells: [number, number][] = []
  for (let cell = mask.indexOf(1); cell >= 0; cell = mask.indexOf(1, cell + 1)) cells.push([cell % width, Math.floor(cell / width)])
  return cells
}
const drawn = (...points: [number, number][]) => {
  const mask = emptyMask()
  drawLine(
    mask,
    points.map(([x, y]) => fromCell(x, y)),
  )
  return marked(mask)
}
const square = (west: number, north: number, size: number): Position[] =>
  (
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ] as const
  ).map(([x, y]) => fromCell(west + x * size, north + y * size))
const filled = (...rings: Position[][]) => {
  const mask = emptyMask()
  fillRings(mask, rings)
  return mask.reduce((sum, cell) => sum + cell, 0)
}

describe('drawing a line on the grid', () => {
  test('every cell a line passes is marked, without a gap', () => {
    const cells = drawn([10.5, 10.5], [14.5, 10.5])
    expect(cells).toEqual([10, 11, 12, 13, 14].map((x) => [x, 10]))
  })

  test('a line of one point marks its cell', () => expect(drawn([7.5, 9.5])).toEqual([[7, 9]]))

  test("a line is cut off at the grid's edge", () => {
    expect(drawn([-5.5, 3.5], [2.5, 3.5])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ])
    expect(drawn([-9.5, -9.5], [-2.5, -2.5])).toEqual([])
  })

  test('a line marks as many cells as its longer side is long', () => {
    const cell = fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 5, max: 60 }))
    fc.assert(
      fc.property(cell, cell, ([x1, y1], [x2, y2]) => {
        const cells = drawn([x1 + 0.5, y1 + 0.5], [x2 + 0.5, y2 + 0.5])
        expect(cells).toContainEqual([x1, y1])
        expect(cells).toContainEqual([x2, y2])
        expect(cells.length).toBeGreaterThanOrEqual(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) + 1)
      }),
      { numRuns: 15 },
    )
  })
})

describe('filling rings on the grid', () => {
  test('a ring marks the cells within it', () => expect(filled(square(20, 20, 10))).toBe(100))

  test('holes stay empty, and an island in a hole is marked', () => {
    const [outer, hole, island] = [square(20, 20, 10), square(22, 22, 6), square(24, 24, 2)]
    expect(filled(outer, hole)).toBe(100 - 36)
    expect(filled(outer, hole, island)).toBe(100 - 36 + 4)
  })

  test('rings may run clockwise or counter-clockwise', () => expect(filled(square(20, 20, 10).reverse())).toBe(100))

  test("rings are cut off at the grid's edge", () => {
    expect(filled(square(-5, -5, 10))).toBe(25)
    expect(filled(square(width - 5, height - 5, 10))).toBe(25)
    expect(filled(square(-50, -50, 20))).toBe(0)
  })
})

test('a distance is that to the nearest marked cell', () => {
  const cell = fc.tuple(fc.integer({ min: 0, max: width - 1 }), fc.integer({ min: 0, max: height - 1 }))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), fc.array(cell, { minLength: 20, maxLength: 20 }), (marks, asked) => {
      const mask = emptyMask()
      for (const [x, y] of marks) mask[y * width + x] = 1
      const distance = distanceTo(mask, 1)
      for (const [x, y] of asked) {
        const nearest = Math.min(...marks.map(([markX, markY]) => Math.hypot(markX - x, markY - y)))
        expect(distance[y * width + x]).toBeCloseTo(nearest, 2)
      }
    }),
    { numRuns: 4 },
  )
})
