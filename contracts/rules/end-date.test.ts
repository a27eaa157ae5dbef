import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { addMonths, newEndDate } from './end-date.ts'

test('R-1.19 R-3.73 bought and free months extend the current end, or now if it has passed', async () => {
  expect(
    await collectFailures(
      [
        ['2026-01-01T00:00:00Z', '2026-03-15T00:00:00Z', 12, 1, '2027-04-15T00:00:00.000Z'],
        ['2026-01-01T00:00:00Z', '2026-03-15T00:00:00Z', 24, 1, '2028-04-15T00:00:00.000Z'],
        ['2025-06-01T10:00:00Z', '2025-01-10T00:00:00Z', 12, 0, '2026-06-01T10:00:00.000Z'],
        ['2025-06-01T10:00:00Z', null, 12, 0, '2026-06-01T10:00:00.000Z'],
        ['2026-01-01T00:00:00Z', '2026-01-31T23:30:00Z', 1, 0, '2026-02-28T23:30:00.000Z'],
        ['2026-01-01T00:00:00Z', '2028-01-31T00:00:00Z', 1, 0, '2028-02-29T00:00:00.000Z'],
        ['2024-01-01T00:00:00Z', '2024-02-29T00:00:00Z', 12, 0, '2025-02-28T00:00:00.000Z'],
        ['2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z', 1, 1, '2026-03-31T00:00:00.000Z'],
        ['2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z', 2, 0, '2027-02-28T00:00:00.000Z'],
      ] as const,
      JSON.stringify,
      ([now, end, months, extra, expected]) => {
        expect(newEndDate(new Date(now), end, months, extra).toISOString()).toBe(expected)
        expect(newEndDate(new Date(now), end && new Date(end), months, extra).toISOString()).toBe(expected)
      },
    ),
  ).toEqual([])
})

const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const counts = fc.integer({ min: 0, max: 60 })

test('R-1.19 more months end later, and never before the old end or now', () => {
  fc.assert(
    fc.property(instants, fc.option(instants), counts, counts, (now, end, months, extra) => {
      const date = newEndDate(now, end, months, extra)
      const later = newEndDate(now, end, months + 1, extra)
      return date >= now && (!end || date >= end) && later > date
    }),
  )
})

test('R-1.19 starting later at the same time of day never ends earlier', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 400 }), counts, (from, days, months) => {
      const later = new Date(from.getTime() + days * 86_400_000)
      return addMonths(later, months) >= addMonths(from, months)
    }),
  )
})

test('R-1.19 adding months does not modify the given date', () => {
  const from = new Date('2026-01-31T00:00:00Z')
  addMonths(from, 1)
  expect(from.toISOString()).toBe('2026-01-31T00:00:00.000Z')
})
