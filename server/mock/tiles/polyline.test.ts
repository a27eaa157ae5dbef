import { describe, expect, test } from 'vitest'
import type { Point } from './fit-tile.ts'
import { bend, chain, measure, pointAt, slice } from './polyline.ts'

const corner: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
]

describe('a polyline', () => {
  test('is measured from its start', () => expect(measure(corner)).toEqual([0, 10, 20]))

  test.each([
    [0, [0, 0]],
    [5, [5, 0]],
    [10, [10, 0]],
    [15, [10, 5]],
    [20, [10, 10]],
  ])('has a point after %i', (distance, point) => expect(pointAt(corner, measure(corner), distance)).toEqual(point))

  test('is cut between two distances, corners kept', () => {
    expect(slice(corner, measure(corner), 5, 15)).toEqual([
      [5, 0],
      [10, 0],
      [10, 5],
    ])
  })

  test('knows how much it turns', () => {
    expect(bend(corner)).toEqual({ sharpest: Math.PI / 2, sum: Math.PI / 2 })
    expect(bend(corner.slice(0, 2))).toEqual({ sharpest: 0, sum: 0 })
  })

  test('turns by the smaller angle across west', () => {
    const line: Point[] = [
      [0, 0],
      [-10, 1],
      [-20, 0],
    ]
    expect(bend(line).sum).toBeLessThan(0.3)
  })
})

describe('chaining', () => {
  test('joins stretches whichever way they were drawn', () => {
    const [joined, ...rest] = chain([
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
    expect(measure(joined!).at(-1)).toBe(30)
    expect(bend(joined!).sum).toBe(0)
  })

  test('leaves apart what does not meet', () => {
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
    expect(chain(apart)).toHaveLength(2)
  })
})
