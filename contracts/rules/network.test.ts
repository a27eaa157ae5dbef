import { expect, test } from 'vitest'
import { networkStateAt } from './network.ts'

const now = new Date('2026-06-01T00:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each([
  [0, 'active', 'active'],
  [90, 'active', 'active'],
  [90.001, 'active', 'deactivated'],
  [120, 'active', 'deactivated'],
  [120, 'deactivated', 'deactivated'],
  [0, 'deactivated', 'deactivated'],
] as const)('R-4.9 %d days of silence after %s is %s (D-18)', (days, stored, state) => {
  expect(networkStateAt(daysAgo(days), stored, now)).toBe(state)
})

test('R-4.9 a tracker that never spoke is not deactivated', () => {
  expect(networkStateAt(null, 'active', now)).toBe('active')
})
