import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipRing } from './clip-ring.ts'
import { simplify } from './simplify.ts'

type Point = [number, number]
const box = { west: 0, south: 0, east: 10, north: 10 }

describe('simplifying', () => {
  test('drops what lies on the way and keeps corners', () => {
    const line: Point[] = [
      [0, 0],
      [5, 0.01],
      [10, 0],
      [10, 10],
    ]
    expect(simplify(line, 0.1)).toEqual([line[0], line[2], line[3]])
  })

  test('keeps a ring a ring', () => {
    const ring: Point[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ]
    expect(simplify(ring, 0.5)).toEqual(ring)
  })

  test('never drops the ends', () => {
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
  test('leaves one that lies within', () => {
    const ring: Point[] = [
      [1, 1],
      [9, 1],
      [5, 9],
    ]
    expect(clipRing(ring, box)).toEqual([...ring, ring[0]])
  })

  test('is empty for one that lies outside', () => {
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

  test('closes along the sides', () => {
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

  test('gives nothing beyond the box, whatever the ring', () => {
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
