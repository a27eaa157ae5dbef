import { expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { boxCorners, eastPoint } from './circles.tsx'

test('a circle has its border at the distance of its radius at every latitude', async () => {
  expect(
    await collectFailures(
      [
        [0, 50],
        [-34.9, 200],
        [60.2, 10_000],
      ] as const,
      JSON.stringify,
      ([lat, radius]) => {
        const circle = { lat, lng: 20, radius }
        expect(distanceMeters(circle, eastPoint(circle)) / radius).toBeCloseTo(1, 2)
        const [low, high] = boxCorners(circle)
        expect(distanceMeters(circle, { lat: low?.lat ?? 0, lng: 20 }) / radius).toBeCloseTo(1, 2)
        expect(high?.lng).toBeCloseTo(eastPoint(circle).lng)
      },
    ),
  ).toEqual([])
})

test('at the pole the box around a circle has finite coordinates', () => {
  for (const { lat, lng } of boxCorners({ lat: 90, lng: 0, radius: 200 }))
    expect([Number.isFinite(lat), Number.isFinite(lng)]).toEqual([true, true])
})
