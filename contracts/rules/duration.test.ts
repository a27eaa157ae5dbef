import { expect, test } from 'vitest'
import { durationOf, periodOf } from './duration.ts'

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [3, 0, 3],
  [11, 0, 11],
  [12, 1, 0],
  [13, 1, 1],
  [18, 1, 6],
  [24, 2, 0],
  [36, 3, 0],
])('R-9.15 R-3.69 %i months are %i years and %i months (W-2)', (months, years, rest) => {
  expect(durationOf(months)).toEqual({ years, months: rest })
})

test.each([
  ['month', 1, { every: 1, unit: 'month' }],
  ['year', 1, { every: 1, unit: 'year' }],
  ['month', 3, { every: 3, unit: 'month' }],
  ['year', 2, { every: 2, unit: 'year' }],
  ['month', 12, { every: 1, unit: 'year' }],
  ['month', 24, { every: 2, unit: 'year' }],
  ['month', 18, { every: 18, unit: 'month' }],
] as const)('R-9.16 R-3.71 recurring by %s, %i at a time is %j (W-2b)', (interval, interval_count, period) => {
  expect(periodOf({ interval, interval_count })).toEqual(period)
})

test('R-9.16 R-3.72 no recurrence is one-time (W-2b)', () => {
  expect(periodOf(null)).toBeNull()
})
