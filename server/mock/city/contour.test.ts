import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { contour } from './contour.ts'
import { distanceTo } from './distance.ts'
import { emptyMask, fillRings, fromCell, height, toCell, width } from './grid.ts'

const at = (x: number, y: number) => y * width + x

describe('distance field', () => {
  const mask = emptyMask()
  mask[at(100, 100)] = 1
  const distance = distanceTo(mask, 1)

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
    expect(distanceTo(mask, 0)[at(100, 100)]).toBe(1)
    expect(distanceTo(mask, 0)[at(99, 100)]).toBe(0)
  })
})

describe('contour', () => {
  const disc = (centreX: number, centreY: number, radius: number) =>
    Float32Array.from(
      { length: width * height },
      (_, cell) => radius - Math.hypot((cell % width) - centreX, Math.floor(cell / width) - centreY),
    )

  test('the contour runs where the field crosses zero', () => {
    const rings = contour(disc(300, 200, 50))
    expect(rings).toHaveLength(1)
    for (const [x, y] of rings[0]!) expect(Math.hypot(x - 300.5, y - 200.5)).toBeCloseTo(50, 1)
  })

  test('a contour closes where the field leaves the grid', () => {
    const [ring, ...others] = contour(disc(0, 0, 40))
    expect(others).toEqual([])
    expect(ring!.at(-1)).toEqual(ring![0])
    expect(ring!.every(([x, y]) => x >= 0 - 1 && y >= 0 - 1)).toBe(true)
  })

  test('two islands get separate contours, and holes get their own', () => {
    const [one, two, hole] = [disc(100, 100, 30), disc(300, 100, 30), disc(300, 100, 10)]
    expect(contour(one.map((value, cell) => Math.max(value, two[cell]!)))).toHaveLength(2)
    expect(contour(two.map((value, cell) => Math.min(value, -hole[cell]!)))).toHaveLength(2)
  })

  test('an empty field has no contour', () => expect(contour(new Float32Array(width * height).fill(-1))).toEqual([]))
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
