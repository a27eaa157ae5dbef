import { expect, test } from 'vitest'
import { networkStateAt, silentSince } from './network.ts'

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

test.each([
  [120, null, 120],
  [120, 30, 30],
  [5, 30, 5],
  [null, 30, 30],
])('D-18 last heard %j and reactivated %j days ago, silence counts from %d days ago', (heard, activated, since) => {
  const dates = {
    lastMessageAt: heard === null ? null : daysAgo(heard),
    networkActivatedAt: activated === null ? null : daysAgo(activated),
  }
  expect(silentSince(dates)).toEqual(daysAgo(since))
})

test('D-18 what neither spoke nor was reactivated is not silent', () => {
  expect(silentSince({ lastMessageAt: null, networkActivatedAt: null })).toBeNull()
})
