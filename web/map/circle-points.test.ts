import { expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo.ts'
import { cornersOf, eastOf } from './circle-points.ts'

test.each([
  [0, 50],
  [-34.9, 200],
  [60.2, 10_000],
])('at %d°, a radius of %d m: its border lies so far from its centre', (lat, radius) => {
  const circle = { lat, lng: 20, radius }
  expect(distanceMeters(circle, eastOf(circle)) / radius).toBeCloseTo(1, 2)
  const [low, high] = cornersOf(circle)
  expect(distanceMeters(circle, { lat: low?.lat ?? 0, lng: 20 }) / radius).toBeCloseTo(1, 2)
  expect(high?.lng).toBeCloseTo(eastOf(circle).lng)
})

test('at the pole it is still a box of numbers', () => {
  for (const { lat, lng } of cornersOf({ lat: 90, lng: 0, radius: 200 }))
    expect([Number.isFinite(lat), Number.isFinite(lng)]).toEqual([true, true])
})
