import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { networkKey } from './address.ts'

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
