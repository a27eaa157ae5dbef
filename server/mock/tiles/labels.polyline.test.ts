import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import type { Point } from './fit-tile.ts'
import { chainLines, measureDistances, measureTurns, pointAt, sliceLine } from './labels.ts'

const corner: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
]

describe('polylines', () => {
  test('lengths are measured from the start of a line', () => expect(measureDistances(corner)).toEqual([0, 10, 20]))

  test('the point at a distance from the start lies on the line', async () => {
    const rows = [
      [0, [0, 0]],
      [5, [5, 0]],
      [10, [10, 0]],
      [15, [10, 5]],
      [20, [10, 10]],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([distance]) => `after ${distance}`,
        ([distance, point]) => expect(pointAt(corner, measureDistances(corner), distance)).toEqual(point),
      ),
    ).toEqual([])
  })

  test('a slice between two distances includes the corners', () => {
    expect(sliceLine(corner, measureDistances(corner), 5, 15)).toEqual([
      [5, 0],
      [10, 0],
      [10, 5],
    ])
  })

  test('bend returns the sharpest turn and the sum of turns', () => {
    expect(measureTurns(corner)).toEqual({ sharpest: Math.PI / 2, sum: Math.PI / 2 })
    expect(measureTurns(corner.slice(0, 2))).toEqual({ sharpest: 0, sum: 0 })
  })

  test('a turn across the west is measured by the smaller angle', () => {
    const line: Point[] = [
      [0, 0],
      [-10, 1],
      [-20, 0],
    ]
    expect(measureTurns(line).sum).toBeLessThan(0.3)
  })
})

describe('chaining', () => {
  test('touching stretches are joined regardless of their direction', () => {
    const [joined, ...rest] = chainLines([
      [
        [10, 0],
        [20, 0],
      ],
      [
        [10, 0],
        [0, 0],
      ],
      [
        [20, 0],
        [30, 0],
      ],
    ])
    expect(rest).toEqual([])
    expect(measureDistances(joined!).at(-1)).toBe(30)
    expect(measureTurns(joined!).sum).toBe(0)
  })

  test('stretches that do not touch stay separate', () => {
    const apart: Point[][] = [
      [
        [0, 0],
        [1, 0],
      ],
      [
        [5, 5],
        [6, 5],
      ],
    ]
    expect(chainLines(apart)).toHaveLength(2)
  })
})
