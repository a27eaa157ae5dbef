import { expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo.ts'
import { cornersOf, eastOf } from './circle-points.ts'

test.each([
  [0, 50],
  [-34.9, 200],
  [60.2, 10_000],
])('at latitude %d° a circle of %d m has its border at that distance from the centre', (lat, radius) => {
  const circle = { lat, lng: 20, radius }
  expect(distanceMeters(circle, eastOf(circle)) / radius).toBeCloseTo(1, 2)
  const [low, high] = cornersOf(circle)
  expect(distanceMeters(circle, { lat: low?.lat ?? 0, lng: 20 }) / radius).toBeCloseTo(1, 2)
  expect(high?.lng).toBeCloseTo(eastOf(circle).lng)
})

test('at the pole the box around a circle has finite coordinates', () => {
  for (const { lat, lng } of cornersOf({ lat: 90, lng: 0, radius: 200 }))
    expect([Number.isFinite(lat), Number.isFinite(lng)]).toEqual([true, true])
})
