import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outlineOf, toPath } from './path.ts'
import { FRACTION, simplifyPath } from './simplify.ts'
import { colourIndex, colourSegments, SPEED_COLOURS } from './speed-colours.ts'

/** Pixels between a point and the nearest segment of a line. */
function distanceTo(line: [number, number][], [x, y]: [number, number]) {
  const distances = line.slice(1).map(([bx, by], index) => {
    const [ax, ay] = line[index]!
    const [dx, dy] = [bx - ax, by - ay]
    const share = dx * dx + dy * dy > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))) : 0
    return Math.hypot(x - ax - share * dx, y - ay - share * dy)
  })
  return Math.min(...distances, line.length === 1 ? Math.hypot(x - line[0]![0], y - line[0]![1]) : Number.POSITIVE_INFINITY)
}

describe('simplified path', () => {
  test('the simplified line stays within a pixel of every point and keeps both ends', () => {
    const spot = fc.record({ lat: fc.double({ min: -80, max: 80, noNaN: true }), lng: fc.double({ min: -89, max: 89, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(spot, { minLength: 2, maxLength: 60 }), fc.integer({ min: 0, max: 18 }), (points, zoom) => {
        const { x, y: rows, index } = simplifyPath(toPath(points), 0, points.length - 1, zoom)
        expect([index[0], index.at(-1)]).toEqual([0, points.length - 1])
        const line = Array.from(x, (each, kept): [number, number] => [each / FRACTION, (rows[kept] ?? 0) / FRACTION])
        for (const { lat, lng } of points) {
          const size = 256 * 2 ** zoom
          const y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * size
          expect(distanceTo(line, [((lng + 180) / 360) * size, y])).toBeLessThan(1)
        }
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['eastward', [178, 179.9, -179.9, -178]],
    ['westward', [-178, -179.9, 179.9, 178]],
    ['there and back', [179.9, -179.9, 179.8, -179.8]],
  ])('a line over the date line continues %s, never around the world', (_, meridians) => {
    const points = meridians.map((lng, index) => ({ lat: -17 + index, lng }))
    const { x, zoom } = simplifyPath(toPath(points), 0, points.length - 1, 10)
    const degrees = Array.from(x, (each) => (each / FRACTION / 256 / 2 ** zoom) * 360 - 180)
    const steps = degrees.slice(1).map((each, index) => Math.abs(each - degrees[index]!))
    expect(Math.max(...steps)).toBeLessThan(3)
    const outline = outlineOf(toPath(points)).map(({ lng }) => lng)
    expect(Math.max(...outline) - Math.min(...outline)).toBeLessThan(5)
  })

  test('a line around the earth several times is drawn at any zoom', () => {
    const points = Array.from({ length: 100 }, (_, index) => ({ lat: 10, lng: ((index * 30 + 180) % 360) - 180 }))
    const { x } = simplifyPath(toPath(points), 0, points.length - 1, 20)
    expect(x.every((each, index) => index === 0 || Math.abs(each - x[index - 1]!) < 2 ** 31)).toBe(true)
    expect(Math.min(...x)).toBeGreaterThan(-(2 ** 30))
  })

  test('a long stay is a point at a low zoom and keeps its shape at a high one', () => {
    const points = Array.from({ length: 5000 }, (_, index) => ({
      lat: -34.9 + Math.sin(index) / 5000,
      lng: -56.2 + Math.cos(index * 7) / 5000,
    }))
    expect(simplifyPath(toPath(points), 0, 4999, 5).index.length).toBeLessThan(10)
    expect(simplifyPath(toPath(points), 0, 4999, 19).index.length).toBeGreaterThan(4000)
  })

  test('a part of a path keeps the indexes of the whole', () => {
    const points = Array.from({ length: 100 }, (_, index) => ({ lat: index % 2, lng: index }))
    const { index } = simplifyPath(toPath(points), 40, 60, 8)
    expect([index[0], index.at(-1), index.length]).toEqual([40, 60, 21])
  })
})

describe('colours of a path', () => {
  test('a segment has the colour of the mean speed of the points it replaces', () => {
    const kmh = [0, 10, 10, 100, 100]
    expect([...colourSegments(Uint32Array.of(0, 2, 4), kmh, 100)]).toEqual([0, 0, SPEED_COLOURS.length - 1])
    expect([...colourSegments(Uint32Array.of(0, 1, 2, 3, 4), kmh, 100)]).toEqual([0, 0, 0, 6, 6])
  })

  test('speeds beyond the scale get the colours of its ends, and a scale of 0 counts as slow', () => {
    expect([-5, 0, 50, 500].map((speed) => colourIndex(speed, 100))).toEqual([0, 0, 3, 6])
    expect(colourIndex(10, 0)).toBe(0)
  })
})

describe('outline', () => {
  test('a short path is its own outline', () => {
    const points = [0, 1, 2].map((each) => ({ lat: each, lng: -each }))
    expect(outlineOf(toPath(points))).toEqual(points)
    expect(outlineOf(toPath(points), 1, 2)).toEqual(points.slice(1))
  })

  test('the outline of a long path has few points and its farthest ones', () => {
    const points = Array.from({ length: 50_000 }, (_, index) => ({ lat: Math.sin(index), lng: Math.cos(index * 3) }))
    points[777] = { lat: 60, lng: -70 }
    const outline = outlineOf(toPath(points))
    expect(outline.length).toBeLessThan(600)
    expect(outline).toContainEqual({ lat: 60, lng: -70 })
  })
})
