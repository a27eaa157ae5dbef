import { expect, test } from 'vitest'
import { PERMANENT_END_DATE } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isLinkExpired, isShownPermanent } from './link-end.ts'

test('R-9.4 a link ending after 2100 in UTC is shown as permanent', async () => {
  expect(
    await collectFailures(
      [
        ['2099-12-31T23:59:59Z', false],
        ['2100-01-01T00:00:00Z', false],
        ['2100-12-31T23:59:59Z', false],
        ['2101-01-01T00:00:00Z', true],
        ['2101-01-01T00:30:00+01:00', false],
        [PERMANENT_END_DATE, true],
      ] as const,
      ([row]) => row,
      ([end, isPermanent]) => {
        expect(isShownPermanent(end)).toBe(isPermanent)
        expect(isShownPermanent(new Date(end))).toBe(isPermanent)
      },
    ),
  ).toEqual([])
})

test('R-3.57 a link expires at its expiry, and never without one', async () => {
  expect(
    await collectFailures(
      [
        ['2026-03-01T07:59:59Z', true],
        ['2026-03-01T08:00:00Z', true],
        ['2026-03-01T08:00:01Z', false],
        [null, false],
      ] as const,
      JSON.stringify,
      ([expiry, isExpired]) => {
        expect(isLinkExpired(expiry, new Date('2026-03-01T08:00:00Z'))).toBe(isExpired)
      },
    ),
  ).toEqual([])
})
