import { expect, test } from 'vitest'
import { isTooLate } from './withdrawal.ts'

test.each([
  ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z', false],
  ['2026-03-02T09:00:00Z', '2026-03-16T23:59:59Z', false],
  ['2026-03-02T00:00:00Z', '2026-03-17T11:59:59Z', false],
  ['2026-03-02T23:59:59Z', '2026-03-17T12:00:00Z', true],
])('with 14 days from %s, %s is too late: %j', (from, now, late) => {
  expect(isTooLate(new Date(from), 14, new Date(now))).toBe(late)
})
