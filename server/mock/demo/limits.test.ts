import { expect, test } from 'vitest'
import { networkKey } from '#server/http/access/limits.ts'
import { createVirtualClock } from '#server/mock/lib/virtual-clock.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createRateLimit } from './limits.ts'

test('an IPv4 address counts as itself and an IPv6 address as its /64 network', async () => {
  const rows = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([ip, network]) => {
        expect(networkKey(ip)).toBe(network)
      },
    ),
  ).toEqual([])
})

test('a rate limit counts by key in a window that starts with the first request, and returns the seconds to wait', () => {
  const start = new Date('2026-03-02T09:00:00Z')
  const wall = createVirtualClock({ now: () => start }, { at: start, mode: 'frozen' })
  const wait = createRateLimit({ max: 2, ms: 60_000 }, wall)
  const later = (ms: number) => wall.set({ at: new Date(wall.now().getTime() + ms) })
  expect([wait('a'), wait('a'), wait('b')]).toEqual([0, 0, 0])
  later(15_500)
  expect([wait('a'), wait('b')]).toEqual([45, 0])
  later(44_500)
  expect([wait('a'), wait('a'), wait('a')]).toEqual([0, 0, 60])
})
