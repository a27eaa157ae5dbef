import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isTimeZone } from './time.ts'

test('only names of IANA zones are time zones, offsets are not', async () => {
  expect(
    await collectFailures(
      [
        ['America/Montevideo', true],
        ['Asia/Tokyo', true],
        ['America/Argentina/Buenos_Aires', true],
        ['Etc/GMT+3', true],
        ['UTC', true],
        ['Europe/Atlantis', false],
        ['+03:00', false],
        ['-0300', false],
        ['', false],
        [' UTC', false],
        ['UTC\u0000', false],
        ['America/'.repeat(100), false],
      ] as const,
      ([row]) => row,
      ([name, isOne]) => expect(isTimeZone(name)).toBe(isOne),
    ),
  ).toEqual([])
})
