import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { addDays, formatPeriod, isValidPeriod, midnight, parsePeriod, periodBounds, shiftPeriod, toDay, weekAround } from './period.ts'

const TODAY = '2026-03-02'
const zone = process.env.TZ
const read = (query: string) => parsePeriod(new URLSearchParams(query), TODAY)

describe("days in the user's time zone", () => {
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin'
  })
  afterEach(() => {
    process.env.TZ = zone
  })

  test("R-1.8 an instant belongs to the day in the user's time zone", () => {
    expect(toDay('2026-03-01T23:30:00Z')).toBe('2026-03-02')
    expect(midnight('2026-03-02').toISOString()).toBe('2026-03-01T23:00:00.000Z')
  })

  test('days have 23 or 25 hours when the clocks change', async () => {
    expect(
      await collectFailures(
        [
          ['2026-03-28', 24],
          ['2026-03-29', 23],
          ['2026-10-25', 25],
        ] as const,
        JSON.stringify,
        ([day, hours]) => {
          const { start, end } = periodBounds({ from: day, to: day })
          expect((end - start) / 3_600_000).toBe(hours)
        },
      ),
    ).toEqual([])
  })

  test('adding days is not affected by daylight saving time', () => {
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(addDays('2026-10-26', -1)).toBe('2026-10-25')
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  })
})

describe('R-2.59 period in the address', () => {
  test('each form of a period is read from the address and written back unchanged', async () => {
    expect(
      await collectFailures(
        [
          ['', { from: TODAY, to: TODAY }],
          ['day=2026-02-20', { from: '2026-02-20', to: '2026-02-20' }],
          ['from=2026-02-20&to=2026-02-22', { from: '2026-02-20', to: '2026-02-22' }],
          ['from=2026-02-20', { from: '2026-02-20', to: '2026-02-20' }],
        ] as const,
        JSON.stringify,
        ([query, period]) => {
          expect(read(query)).toEqual(period)
          expect(read(new URLSearchParams(formatPeriod(period)).toString())).toEqual(period)
        },
      ),
    ).toEqual([])
  })

  test('an invalid period in the address is refused', async () => {
    expect(
      await collectFailures(
        ['day=', 'day=tomorrow', 'day=2026-02-30', 'day=26-2-1', 'from=2026-02-22&to=2026-02-20', 'from=2025-01-01&to=2026-03-01'],
        String,
        (query) => expect(read(query)).toBeNull(),
      ),
    ).toEqual([])
  })

  test('a period of 366 days is accepted and one of 367 is not', () => {
    expect(isValidPeriod({ from: '2024-01-01', to: '2024-12-31' })).toBe(true)
    expect(isValidPeriod({ from: '2024-01-01', to: '2025-01-01' })).toBe(false)
  })
})

test('stepping moves by the length of the period and never past today', () => {
  const week = { from: '2026-02-10', to: '2026-02-16' }
  expect(shiftPeriod(week, -1, TODAY)).toEqual({ from: '2026-02-03', to: '2026-02-09' })
  expect(shiftPeriod(week, 1, TODAY)).toEqual({ from: '2026-02-17', to: '2026-02-23' })
  expect(shiftPeriod({ from: '2026-02-22', to: '2026-02-28' }, 1, TODAY)).toEqual({ from: '2026-02-24', to: TODAY })
  expect(shiftPeriod({ from: '2026-03-01', to: '2026-03-01' }, 1, TODAY)).toEqual({ from: TODAY, to: TODAY })
})

test('the seven days around a day are the same whichever of them is chosen', () => {
  const last = ['2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']
  for (const day of [...last, '2026-03-05']) expect(weekAround(day, '2026-03-02')).toEqual(last)
  expect(weekAround('2026-02-23', '2026-03-02').at(-1)).toBe('2026-02-23')
  expect(weekAround('2026-02-17', '2026-03-02').at(-1)).toBe('2026-02-23')
})
