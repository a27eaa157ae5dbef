import { expect, test } from 'vitest'
import { resizeArea } from './resize-area.ts'
import { distanceToShape, type Polygon, type ShapePoint } from './shape.ts'
import { findShapeFault } from './shape-faults.ts'

const METERS_PER_DEGREE = 111_195

/** An area with corners so many metres east and north of a point. */
const draw = (lat: number, lng: number, corners: readonly (readonly [number, number])[]): Polygon => ({
  type: 'polygon',
  points: corners.map(([east, north]): ShapePoint => {
    const wide = METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
    return [lat + north / METERS_PER_DEGREE, ((lng + east / wide + 540) % 360) - 180]
  }),
})

const SQUARE = [
  [-300, -300],
  [300, -300],
  [300, 300],
  [-300, 300],
] as const
/** A yard with a corner that points inwards. */
const YARD = [
  [-400, -300],
  [400, -300],
  [400, 300],
  [0, 0],
  [-400, 300],
] as const

test.each([
  ['a square', draw(-34.9, -56.2, SQUARE)],
  ['a square with its corners in the other order', draw(-34.9, -56.2, [...SQUARE].reverse())],
  ['a square far north', draw(64, 25, SQUARE)],
  ['a square across the meridian of 180°', draw(-17, 180, SQUARE)],
  ['a yard with a corner that points inwards', draw(-34.9, -56.2, YARD)],
])('the edges of %s are moved by the metres in both directions', (_, area) => {
  for (const meters of [10, 70, 200, -10, -50]) {
    const resized = resizeArea(area, meters)
    expect(findShapeFault(resized)).toBeNull()
    const { points } = area
    for (const [nth, [lat, lng]] of points.entries()) {
      const [toLat, toLng] = points[(nth + 1) % points.length]!
      const east = ((toLng - lng + 540) % 360) - 180
      const middle = { lat: (lat + toLat) / 2, lng: lng + east / 2 }
      expect(distanceToShape(middle, resized)).toBeCloseTo(-meters, -0.5)
    }
  }
})

test('an area that is moved in by more than half of its width is faulty', () => {
  expect(findShapeFault(resizeArea(draw(-34.9, -56.2, SQUARE), -290))).toEqual({ reason: 'too_narrow' })
})

test('a very sharp corner moves out by three times the metres at most', () => {
  const needle = draw(0, 0, [
    [0, 0],
    [3000, -60],
    [3000, 60],
  ])
  const [[, lng] = [0, 0]] = resizeArea(needle, 100).points
  expect(-lng * METERS_PER_DEGREE).toBeGreaterThan(290)
  expect(-lng * METERS_PER_DEGREE).toBeLessThan(301)
})
