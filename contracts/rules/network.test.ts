import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { networkStateAt, silentSince } from './network.ts'

const now = new Date('2026-06-01T00:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('R-4.9 more than 90 days of silence deactivate the network, and nothing reactivates it', async () => {
  expect(
    await collectFailures(
      [
        [0, 'active', 'active'],
        [90, 'active', 'active'],
        [90.001, 'active', 'deactivated'],
        [120, 'active', 'deactivated'],
        [120, 'deactivated', 'deactivated'],
        [0, 'deactivated', 'deactivated'],
      ] as const,
      String,
      ([days, stored, state]) => {
        expect(networkStateAt(daysAgo(days), stored, now)).toBe(state)
      },
    ),
  ).toEqual([])
})

test('R-4.9 a tracker that never sent a message is not deactivated', () => {
  expect(networkStateAt(null, 'active', now)).toBe('active')
})

test('silence counts from the last message or from a later reactivation', async () => {
  expect(
    await collectFailures(
      [
        [120, null, 120],
        [120, 30, 30],
        [5, 30, 5],
        [null, 30, 30],
      ] as const,
      JSON.stringify,
      ([heard, activated, since]) => {
        const dates = {
          lastMessageAt: heard === null ? null : daysAgo(heard),
          networkActivatedAt: activated === null ? null : daysAgo(activated),
        }
        expect(silentSince(dates)).toEqual(daysAgo(since))
      },
    ),
  ).toEqual([])
})

test('a tracker without message and reactivation is not silent', () => {
  expect(silentSince({ lastMessageAt: null, networkActivatedAt: null })).toBeNull()
})
