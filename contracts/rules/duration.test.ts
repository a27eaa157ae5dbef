import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { durationOf, periodOf } from './duration.ts'

test('R-9.15 R-3.69 12 or more months are split into years and months', async () => {
  expect(
    await collectFailures(
      [
        [0, 0, 0],
        [1, 0, 1],
        [3, 0, 3],
        [11, 0, 11],
        [12, 1, 0],
        [13, 1, 1],
        [18, 1, 6],
        [24, 2, 0],
        [36, 3, 0],
      ] as const,
      String,
      ([months, years, rest]) => {
        expect(durationOf(months)).toEqual({ years, months: rest })
      },
    ),
  ).toEqual([])
})

test('R-9.16 R-3.71 a recurrence of whole years is given in years, any other in months', async () => {
  expect(
    await collectFailures(
      [
        ['month', 1, { every: 1, unit: 'month' }],
        ['year', 1, { every: 1, unit: 'year' }],
        ['month', 3, { every: 3, unit: 'month' }],
        ['year', 2, { every: 2, unit: 'year' }],
        ['month', 12, { every: 1, unit: 'year' }],
        ['month', 24, { every: 2, unit: 'year' }],
        ['month', 18, { every: 18, unit: 'month' }],
      ] as const,
      JSON.stringify,
      ([interval, interval_count, period]) => {
        expect(periodOf({ interval, interval_count })).toEqual(period)
      },
    ),
  ).toEqual([])
})

test('R-9.16 R-3.72 a price without recurrence is one-time', () => {
  expect(periodOf(null)).toBeNull()
})
