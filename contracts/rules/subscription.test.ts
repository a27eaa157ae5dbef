import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  addMonths,
  computeEndDate,
  continueMonths,
  currentSubState,
  findFailedLastInvoice,
  type InvoiceStatus,
  isUnlimited,
  parseSubState,
  subscriptionAction,
} from './subscription.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('R-4.18 an active subscription has ended once its end has passed', async () => {
  expect(
    await collectFailures(
      [
        ['active', '2026-03-01T12:00:01Z', 'active'],
        ['active', '2026-03-01T12:00:00Z', 'active'],
        ['active', '2026-03-01T11:59:59.999Z', 'ended'],
        ['active', null, 'active'],
        ['ended', '2026-02-01T00:00:00Z', 'ended'],
        ['not_activated', null, 'not_activated'],
        ['not_activated', '2026-02-01T00:00:00Z', 'not_activated'],
        ['none', null, 'none'],
        ['suspended', '2030-01-01T00:00:00Z', 'none'],
      ] as const,
      JSON.stringify,
      ([stored, end, state]) => {
        expect(currentSubState(stored, end, now)).toBe(state)
      },
    ),
  ).toEqual([])
})

test('only an active subscription without an end date is unlimited', async () => {
  expect(
    await collectFailures(
      [
        ['active', null, true],
        ['active', '2026-02-01T00:00:00Z', false],
        ['none', null, false],
      ] as const,
      JSON.stringify,
      ([state, end, is]) => {
        expect(isUnlimited(state, end)).toBe(is)
      },
    ),
  ).toEqual([])
})

test('R-3.21 an unknown subscription state is treated as none', async () => {
  expect(
    await collectFailures(['', 'ACTIVE', 'toString'] as const, JSON.stringify, (value) => {
      expect(parseSubState(value)).toBe('none')
    }),
  ).toEqual([])
})

test('R-2.10 the state of a subscription determines the offered action', async () => {
  expect(
    await collectFailures(
      [
        ['none', false, 'choose'],
        ['ended', false, 'renew'],
        ['ended', true, 'renew'],
        ['active', false, 'extend'],
        ['active', true, 'manage'],
        ['not_activated', false, 'activate'],
        ['unheard_of', false, 'choose'],
      ] as const,
      String,
      ([sub_state, is_recurring, action]) => {
        expect(subscriptionAction({ linked_to_pro: false, sub_state, is_recurring })).toBe(action)
      },
    ),
  ).toEqual([])
})

test('R-6.6 a tracker linked to pro always leads to support', async () => {
  expect(
    await collectFailures(['none', 'ended', 'active', 'not_activated'] as const, String, (sub_state) => {
      expect(subscriptionAction({ linked_to_pro: true, sub_state, is_recurring: true })).toBe('support')
    }),
  ).toEqual([])
})

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
        expect(computeEndDate(new Date(now), end, months, extra).toISOString()).toBe(expected)
        expect(computeEndDate(new Date(now), end && new Date(end), months, extra).toISOString()).toBe(expected)
      },
    ),
  ).toEqual([])
})

const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2190-01-01'), noInvalidDate: true })
const counts = fc.integer({ min: 0, max: 120 })

test('R-1.19 more months end later, and never before the old end or now', () => {
  fc.assert(
    fc.property(instants, fc.option(instants), counts, counts, (now, end, months, extra) => {
      const date = computeEndDate(now, end, months, extra)
      const later = computeEndDate(now, end, months + 1, extra)
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

/** Months since the year 0. */
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
const timeOf = (date: Date) => date.toISOString().slice(10)

test('adding months keeps the day, clamped to the end of the month, and the time of day', () => {
  fc.assert(
    fc.property(instants, counts, (from, months) => {
      const date = addMonths(from, months)
      expect(monthOf(date)).toBe(monthOf(from) + months)
      expect(timeOf(date)).toBe(timeOf(from))
      const dayAfter = new Date(date.getTime() + 86_400_000)
      const isLastOfMonth = dayAfter.getUTCDate() === 1
      expect(date.getUTCDate() === from.getUTCDate() || (isLastOfMonth && date.getUTCDate() < from.getUTCDate())).toBe(true)
    }),
  )
})

test("a continued period ends on its anchor's day of the month in every month that has that day", () => {
  const rows = [
    ['2027-01-31', '2027-02-28', 1, '2027-03-31'],
    ['2027-01-31', '2027-03-31', 1, '2027-04-30'],
    ['2027-01-31', '2028-01-31', 1, '2028-02-29'],
    ['2027-01-30', '2027-02-28', 1, '2027-03-30'],
    ['2028-02-29', '2029-02-28', 12, '2030-02-28'],
    ['2028-02-29', '2031-02-28', 12, '2032-02-29'],
    ['2027-01-15', '2027-02-15', 3, '2027-05-15'],
    ['2027-01-31', '2027-02-10', 1, '2027-03-10'],
    ['2027-01-15', '2027-02-28', 1, '2027-03-28'],
  ] as const
  for (const [anchor, from, months, end] of rows)
    expect(continueMonths(new Date(from), months, new Date(anchor)).toISOString().slice(0, 10)).toBe(end)
})

test('adding twelve months keeps the day of the year, except for 29 February', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 20 }), (from, years) => {
      const date = addMonths(from, years * 12)
      expect(date.getUTCFullYear()).toBe(from.getUTCFullYear() + years)
      if (from.toISOString().slice(5, 10) !== '02-29') expect(date.toISOString().slice(4)).toBe(from.toISOString().slice(4))
    }),
  )
})

test('an end in the past counts like no end', () => {
  fc.assert(
    fc.property(instants, instants, counts, counts, (now, end, months, extra) => {
      const [past, future] = end <= now ? [end, now] : [now, end]
      expect(computeEndDate(future, past, months, extra)).toEqual(computeEndDate(future, null, months, extra))
      expect(computeEndDate(past, future, months, extra)).toEqual(addMonths(future, months + extra))
    }),
  )
})

const invoice = (date: string, status: InvoiceStatus) => ({ date, status })
const failed = invoice('2026-03-01T00:00:00Z', 'failed')

test('R-4.26 a failed newest invoice is found anywhere in the list', () => {
  expect(findFailedLastInvoice([invoice('2026-01-01T00:00:00Z', 'paid'), failed, invoice('2026-02-01T00:00:00Z', 'paid')])).toBe(failed)
})

test.each([
  ['only an older invoice failed', [failed, invoice('2026-04-01T00:00:00Z', 'paid')]],
  ['the newest invoice is open', [invoice('2026-04-01T00:00:00Z', 'open'), failed]],
  ['there are no invoices', []],
])('R-4.26 there is no warning when %s', (_words, invoices) => {
  expect(findFailedLastInvoice(invoices)).toBeNull()
})
