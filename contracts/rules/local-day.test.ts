import { afterEach, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { addDays, countDays, isDay, localDay, startOfLocalDay } from './local-day.ts'

const ZONE = process.env.TZ
afterEach(() => {
  process.env.TZ = ZONE
})

/** Zones with ordinary days, half hours, and clocks that change at midnight or skip a day. */
const ZONES: [zone: string, first: string, days: number][] = [
  ['UTC', '2026-01-01', 3],
  ['America/Montevideo', '2026-02-27', 5],
  ['Europe/Berlin', '2026-03-27', 5],
  ['Europe/Berlin', '2026-10-23', 5],
  ['Asia/Kolkata', '2026-05-01', 3],
  ['Asia/Beirut', '2026-03-27', 5],
  ['America/Havana', '2026-10-30', 5],
  ['America/Sao_Paulo', '2018-11-02', 5],
  ['America/Sao_Paulo', '2018-02-15', 5],
  ['Australia/Lord_Howe', '2026-04-03', 5],
  ['Pacific/Kiritimati', '2026-03-01', 3],
  ['Atlantic/Azores', '2026-10-23', 5],
]

test('a day begins on the server at the same instant as in a browser of the same time zone', async () => {
  const rows = ZONES.flatMap(([zone, first, count]) => Array.from({ length: count }, (_, later) => [zone, addDays(first, later)] as const))
  expect(
    await collectFailures(
      rows,
      (row) => row.join(' '),
      ([zone, day]) => {
        process.env.TZ = zone
        const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
        const start = new Date(year, month - 1, date).getTime()
        expect(startOfLocalDay(day, zone)).toBe(start)
        expect(localDay(start + 3_600_000, zone)).toBe(day)
      },
    ),
  ).toEqual([])
})

test('days are counted by the calendar', () => {
  expect(['2026-03-02', '2024-02-29', '2026-02-29', '2026-13-01', '2026-3-2', 'soon', '2026-03-02T00:00:00Z'].map(isDay)).toEqual([
    true,
    true,
    ...Array(5).fill(false),
  ])
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect([countDays('2026-03-01', '2026-03-01'), countDays('2026-03-01', '2027-03-01'), countDays('2026-03-02', '2026-03-01')]).toEqual([
    1, 366, 0,
  ])
})
