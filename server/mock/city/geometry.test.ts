import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipRing, simplify } from './geometry.ts'

type Point = [number, number]
const box = { west: 0, south: 0, east: 10, north: 10 }

describe('simplifying a line', () => {
  test('points on a straight line are dropped and corners are kept', () => {
    const line: Point[] = [
      [0, 0],
      [5, 0.01],
      [10, 0],
      [10, 10],
    ]
    expect(simplify(line, 0.1)).toEqual([line[0], line[2], line[3]])
  })

  test('a simplified ring stays closed', () => {
    const ring: Point[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ]
    expect(simplify(ring, 0.5)).toEqual(ring)
  })

  test('the ends of a line are never dropped', () => {
    const point = fc.tuple(fc.integer(), fc.integer())
    fc.assert(
      fc.property(fc.array(point, { minLength: 2 }), fc.nat(), (line, tolerance) => {
        const simple = simplify(line, tolerance)
        expect(simple[0]).toEqual(line[0])
        expect(simple.at(-1)).toEqual(line.at(-1))
      }),
    )
  })
})

describe('clipping a ring to a box', () => {
  test('a ring within the box is unchanged', () => {
    const ring: Point[] = [
      [1, 1],
      [9, 1],
      [5, 9],
    ]
    expect(clipRing(ring, box)).toEqual([...ring, ring[0]])
  })

  test('a ring outside the box becomes empty', () => {
    expect(
      clipRing(
        [
          [20, 20],
          [30, 20],
          [25, 30],
        ],
        box,
      ),
    ).toEqual([])
  })

  test('a clipped ring closes along the sides of the box', () => {
    const around: Point[] = [
      [-50, -50],
      [50, -50],
      [50, 50],
      [-50, 50],
    ]
    const clipped = clipRing(around, box)
    expect(clipped).toHaveLength(5)
    expect(new Set(clipped.map(String))).toEqual(new Set(['0,0', '10,0', '10,10', '0,10']))
  })

  test('no clipped ring leaves the box', () => {
    const point = fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -30, max: 30 }))
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 12 }), (ring) => {
        for (const [x, y] of clipRing(ring, box)) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9)
          expect(Math.max(x, y)).toBeLessThanOrEqual(10 + 1e-9)
        }
      }),
    )
  })
})
