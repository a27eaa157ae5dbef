import { expect, test } from 'vitest'
import type { DayTotals } from '#contracts/days.ts'
import { changeBetween, listMonths, periodsOf, shadeLimits, shadeOf, sumDays, weeksOf } from './compare.ts'

const day = (text: string, meters: number): DayTotals => ({
  day: text,
  meters,
  moving_seconds: 60,
  top_speed: 5,
  trips: 2,
  stops: 1,
  longest_stop_seconds: 600,
  positions: 10,
  first: `${text}T09:00:00Z`,
  last: `${text}T10:00:00Z`,
})

test.each([
  ['week', '2026-03-01', ['2026-02-23', '2026-03-01'], ['2026-02-16', '2026-02-22']],
  ['week', '2026-03-02', ['2026-03-02', '2026-03-02'], ['2026-02-23', '2026-02-23']],
  ['month', '2026-03-02', ['2026-03-01', '2026-03-02'], ['2026-02-01', '2026-02-02']],
  ['month', '2026-03-31', ['2026-03-01', '2026-03-31'], ['2026-02-01', '2026-02-28']],
  ['month', '2026-01-15', ['2026-01-01', '2026-01-15'], ['2025-12-01', '2025-12-15']],
  ['year', '2026-03-02', ['2026-01-01', '2026-03-02'], ['2025-01-01', '2025-03-02']],
  ['year', '2024-02-29', ['2024-01-01', '2024-02-29'], ['2023-01-01', '2023-02-28']],
] as const)('the %s of %s is compared with the same days of the previous one', (span, today, [from, to], [first, last]) => {
  expect(periodsOf(span, today)).toEqual({ now: { from, to }, before: { from: first, to: last } })
})

test('sums count the days of a period, and a comparison with a period without movement is not shown', () => {
  const days = [day('2026-02-01', 1000), day('2026-02-02', 2000), day('2026-03-01', 4500)]
  const [february, march, april] = ['02', '03', '04'].map((month) => sumDays(days, `2026-${month}-01`, `2026-${month}-31`))
  expect(february).toEqual({ meters: 3000, movingMs: 120_000, trips: 4, days: 2 })
  expect(changeBetween(march!, february!)).toBe(0.5)
  expect(changeBetween(february!, april!)).toBeNull()
})

test('a month is shown in weeks from Monday to Sunday', () => {
  const weeks = weeksOf('2026-02-01')
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7])
  expect(weeks[0]).toEqual([...Array(6).fill(null), '2026-02-01'])
  expect(weeks[4]?.slice(5)).toEqual(['2026-02-28', null])
  expect(listMonths([day('2026-01-31', 1), day('2026-02-01', 1), day('2026-02-03', 1)])).toEqual(['2026-02-01', '2026-01-01'])
})

test('each shade has a quarter of the days, so that one long day does not pale all others', () => {
  const days = [...Array(20).keys()].map((nth) =>
    day(`2026-01-${String(nth + 1).padStart(2, '0')}`, nth === 19 ? 500_000 : 1000 + 10 * nth),
  )
  const limits = shadeLimits(days)
  expect([0, 100, 1049, 1050, 1100, 1150, 500_000].map((meters) => shadeOf(meters, limits))).toEqual([0, 1, 1, 2, 3, 4, 4])
  expect(shadeLimits([])).toEqual([0, 0, 0])
  expect(shadeOf(0, [0, 0, 0])).toBe(0)
})
