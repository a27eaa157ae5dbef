import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isTimeZone, millisOrOldest } from './time.ts'

test('an invalid instant is sorted as the oldest', () => {
  const instants = ['2026-03-02T09:00:00Z', '', '2026-03-01T09:00:00Z', 'soon']
  expect(instants.toSorted((a, b) => millisOrOldest(a) - millisOrOldest(b))).toEqual(['', 'soon', instants[2], instants[0]])
})

test('names of IANA zones are time zones, offsets are not', async () => {
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
