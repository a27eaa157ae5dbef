import { expect, test } from 'vitest'
import { metresBetween, offsetBy, turnAngle } from './local-geometry.ts'
import { planFlightPath, positionAlong, timePath, travelSeconds } from './paths.ts'

const start = { lat: -34.9, lng: -56.15 }
const corner = offsetBy(start, 400, 0)
const end = offsetBy(corner, 0, 400)
const pace = timePath([start, corner, end], 'wheels', 10, 1)
const speedAt = (second: number) => metresBetween(positionAlong(pace, second - 1), positionAlong(pace, second + 1)) / 2
const passing = (point: typeof start) =>
  Array.from({ length: Math.floor(travelSeconds(pace)) }, (_, second) => second).reduce((best, second) =>
    metresBetween(positionAlong(pace, second), point) < metresBetween(positionAlong(pace, best), point) ? second : best,
  )

test('a timed path leads from the start to the end and no further', () => {
  expect(positionAlong(pace, 0)).toEqual(start)
  expect(metresBetween(positionAlong(pace, travelSeconds(pace) + 100), end)).toBeLessThan(0.01)
  expect(pace.metres).toBeCloseTo(800, 0)
})

test('a vehicle slows down in turns and at both ends', () => {
  expect(turnAngle(start, corner, end)).toBeCloseTo(90, 1)
  const cruising = speedAt(passing(offsetBy(start, 200, 0)))
  expect(speedAt(passing(corner))).toBeLessThan(0.75 * cruising)
  expect(speedAt(2)).toBeLessThan(0.5 * cruising)
  expect(cruising).toBeLessThan(12.5)
})

test('a flight returns to its base in ever wider loops', () => {
  const way = planFlightPath(start, offsetBy(start, -3000, -3000))
  expect(metresBetween(way[0]!, way.at(-1)!)).toBeLessThan(1)
  const [first, last] = [way[18]!, way.at(-19)!]
  expect(metresBetween(start, first)).toBeCloseTo(Math.hypot(3000, 3000), -1)
  expect(metresBetween(start, last)).toBeGreaterThan(metresBetween(start, first))
})
