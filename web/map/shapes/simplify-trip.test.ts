import { expect, test } from 'vitest'
import { distanceToShape } from '#contracts/rules/geo/shape.ts'
import { toPath } from './path.ts'
import { simplifyTrip } from './simplify-trip.ts'

test('a trip of a thousand fixes becomes a way of at most 100 points that passes every fix', () => {
  const fixes = Array.from({ length: 1000 }, (_, index) => ({ lat: -34.9 + index * 1e-4, lng: -56.2 + 0.003 * Math.sin(index / 9) }))
  const points = simplifyTrip(toPath(fixes), 0, 999)
  expect(points.length).toBeGreaterThan(10)
  expect(points.length).toBeLessThanOrEqual(100)
  const way = { type: 'corridor' as const, points, width: 0 }
  expect(Math.max(...fixes.map((fix) => distanceToShape(fix, way)))).toBeLessThan(50)
})
