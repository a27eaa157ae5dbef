import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Position } from '#server/mock/city/city.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  computeDistances,
  drawLine,
  emptyMask,
  fillRings,
  fromCell,
  GRID_HEIGHT,
  GRID_WIDTH,
  type Mask,
  toCell,
  traceContours,
} from './grid.ts'

const marked = (mask: Mask) => {
  const cells: [number, number][] = []
  for (let cell = mask.indexOf(1); cell >= 0; cell = mask.indexOf(1, cell + 1))
    cells.push([cell % GRID_WIDTH, Math.floor(cell / GRID_WIDTH)])
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
    expect(filled(square(GRID_WIDTH - 5, GRID_HEIGHT - 5, 10))).toBe(25)
    expect(filled(square(-50, -50, 20))).toBe(0)
  })
})

test('the distance of a cell is that to the nearest marked cell', () => {
  const cell = fc.tuple(fc.integer({ min: 0, max: GRID_WIDTH - 1 }), fc.integer({ min: 0, max: GRID_HEIGHT - 1 }))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), fc.array(cell, { minLength: 20, maxLength: 20 }), (marks, asked) => {
      const mask = emptyMask()
      for (const [x, y] of marks) mask[y * GRID_WIDTH + x] = 1
      const distance = computeDistances(mask, 1)
      for (const [x, y] of asked) {
        const nearest = Math.min(...marks.map(([markX, markY]) => Math.hypot(markX - x, markY - y)))
        expect(distance[y * GRID_WIDTH + x]).toBeCloseTo(nearest, 2)
      }
    }),
    { numRuns: 4 },
  )
})

const at = (x: number, y: number) => y * GRID_WIDTH + x

describe('distance field', () => {
  const mask = emptyMask()
  mask[at(100, 100)] = 1
  const distance = computeDistances(mask, 1)

  test('distances to a marked cell are exact', async () => {
    const rows = [
      [100, 100, 0],
      [103, 104, 5],
      [100, 350, 250],
      [40, 20, 100],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([x, y]) => `${x}, ${y}`,
        ([x, y, cells]) => expect(distance[at(x, y)]).toBeCloseTo(cells, 4),
      ),
    ).toEqual([])
  })

  test('distances to unmarked cells can be computed too', () => {
    expect(computeDistances(mask, 0)[at(100, 100)]).toBe(1)
    expect(computeDistances(mask, 0)[at(99, 100)]).toBe(0)
  })
})

describe('contour', () => {
  const disc = (centreX: number, centreY: number, radius: number) =>
    Float32Array.from(
      { length: GRID_WIDTH * GRID_HEIGHT },
      (_, cell) => radius - Math.hypot((cell % GRID_WIDTH) - centreX, Math.floor(cell / GRID_WIDTH) - centreY),
    )

  test('the contour runs where the field crosses zero', () => {
    const rings = traceContours(disc(300, 200, 50))
    expect(rings).toHaveLength(1)
    for (const [x, y] of rings[0]!) expect(Math.hypot(x - 300.5, y - 200.5)).toBeCloseTo(50, 1)
  })

  test('a contour closes where the field leaves the grid', () => {
    const [ring, ...others] = traceContours(disc(0, 0, 40))
    expect(others).toEqual([])
    expect(ring!.at(-1)).toEqual(ring![0])
    expect(ring!.every(([x, y]) => x >= 0 - 1 && y >= 0 - 1)).toBe(true)
  })

  test('two islands get separate contours, and holes get their own', () => {
    const [one, two, hole] = [disc(100, 100, 30), disc(300, 100, 30), disc(300, 100, 10)]
    expect(traceContours(one.map((value, cell) => Math.max(value, two[cell]!)))).toHaveLength(2)
    expect(traceContours(two.map((value, cell) => Math.min(value, -hole[cell]!)))).toHaveLength(2)
  })

  test('an empty field has no contour', () => expect(traceContours(new Float32Array(GRID_WIDTH * GRID_HEIGHT).fill(-1))).toEqual([]))
})

describe('grid', () => {
  test('converting a position to a cell and back gives the same position', () => {
    const [lng, lat] = fromCell(...toCell([-56.19, -34.9]))
    expect(lng).toBeCloseTo(-56.19, 9)
    expect(lat).toBeCloseTo(-34.9, 9)
  })

  test('filling a ring leaves its hole empty', () => {
    const square = (from: number, to: number) => [fromCell(from, from), fromCell(to, from), fromCell(to, to), fromCell(from, to)]
    const mask = emptyMask()
    fillRings(mask, [square(100, 200), square(140, 160)])
    expect(mask[at(110, 110)]).toBe(1)
    expect(mask[at(150, 150)]).toBe(0)
    expect(mask[at(210, 150)]).toBe(0)
    expect(mask.reduce((sum, cell) => sum + cell, 0)).toBe(100 * 100 - 20 * 20)
  })
})
