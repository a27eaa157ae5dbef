import { afterEach, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { addDays, countDays, findQuietEnd, isDay, localDay, startOfLocalDay } from './local-day.ts'

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

const night = { from: '22:00', to: '07:00' }
const endOf = (at: string, quiet = night, timeZone = 'UTC') => {
  const end = findQuietEnd(Date.parse(at), quiet, timeZone)
  return end === null ? null : new Date(end).toISOString()
}

describe('quiet hours', () => {
  test.each([
    ['2026-03-02T21:59:59Z', null],
    ['2026-03-02T22:00:00Z', '2026-03-03T07:00:00.000Z'],
    ['2026-03-03T06:59:31.500Z', '2026-03-03T07:00:00.000Z'],
    ['2026-03-03T07:00:00Z', null],
  ])('of quiet hours at night, %s lies in those that end at %s', (at, end) => {
    expect(endOf(at)).toBe(end)
  })

  test('quiet hours within a day end on the same day', () => {
    const nap = { from: '13:00', to: '14:30' }
    expect([endOf('2026-03-02T12:59:00Z', nap), endOf('2026-03-02T13:10:00Z', nap)]).toEqual([null, '2026-03-02T14:30:00.000Z'])
  })

  test("quiet hours follow the user's time zone", () => {
    expect(endOf('2026-03-02T01:30:00Z', night, 'America/Montevideo')).toBe('2026-03-02T10:00:00.000Z')
    expect(endOf('2026-03-02T12:00:00Z', night, 'America/Montevideo')).toBeNull()
  })

  test('quiet hours end at the same local time on a night in which the clocks change', () => {
    expect(endOf('2026-03-28T22:30:00Z', night, 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z')
    expect(endOf('2026-10-24T21:30:00Z', night, 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z')
  })

  test('quiet hours that would end in a skipped hour still end later than they began', () => {
    const short = { from: '22:00', to: '02:30' }
    for (const at of ['2026-03-28T22:30:00Z', '2026-03-29T00:40:00Z'])
      expect(findQuietEnd(Date.parse(at), short, 'Europe/Berlin')).toBeGreaterThan(Date.parse(at))
  })
})
