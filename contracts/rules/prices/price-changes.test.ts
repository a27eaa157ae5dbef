import { expect, test } from 'vitest'
import { earliestForRunning, findHeldAmount, nextRenewal, noticeStart, perYear, renewalStart } from './price-changes.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)
const planned = (text: string, unitAmount: number, cancelled?: string) => ({
  unitAmount,
  startsAt: day(text),
  cancelledAt: cancelled === undefined ? null : day(cancelled),
})

test.each([
  ['no amount is planned', [], '2026-05-01', 100],
  ['its day has not begun', [planned('2026-05-02', 120)], '2026-05-01', 100],
  ['its day begins', [planned('2026-05-01', 120)], '2026-05-01', 120],
  ['two have begun in any order', [planned('2026-04-01', 130), planned('2026-03-01', 120)], '2026-05-01', 130],
  ['the newer one was withdrawn', [planned('2026-03-01', 120), planned('2026-04-01', 130, '2026-03-15')], '2026-05-01', 120],
  ['one has begun and one is coming', [planned('2026-04-01', 120), planned('2026-06-01', 140)], '2026-05-01', 120],
])('the right amount holds when %s', (_, amounts, now, amount) => {
  expect(findHeldAmount(100, amounts, day(now))).toBe(amount)
})

test.each([
  ['a rise waits for the days of notice', true, '2026-05-31'],
  ['a lower price may hold at once', false, '2026-05-01'],
])('for running renewals %s', (_, isRise, earliest) => {
  expect(earliestForRunning(isRise, day('2026-05-01'), 30)).toEqual(day(earliest))
})

test.each([
  ['days before the price holds', '2026-08-01', '2026-07-02'],
  ['at once when these days have begun', '2026-05-10', '2026-05-01'],
])('owners get the mail %s', (_, startsAt, mailed) => {
  expect(noticeStart(day(startsAt), day('2026-05-01'), 30)).toEqual(day(mailed))
})

test.each([
  ['a rise with a mail in time holds on its day', true, '2026-05-01', '2026-06-01'],
  ['a rise with a late mail holds later', true, '2026-05-20', '2026-06-19'],
  ['a lower price holds on its day in spite of a late mail', false, '2026-05-20', '2026-06-01'],
])('%s', (_, isRise, noticed, due) => {
  expect(renewalStart({ startsAt: day('2026-06-01'), isRise }, day(noticed), 30)).toEqual(day(due))
})

test.each([
  ['its own day when that comes later', '2026-06-10', 1, '2026-06-01', '2026-06-10'],
  ['the day of a later month', '2026-01-31', 1, '2026-03-01', '2026-03-31'],
  ['the same day of a later year', '2026-02-01', 12, '2026-06-01', '2027-02-01'],
])('the first renewal at a new price is %s', (_, renewsAt, months, from, next) => {
  expect(nextRenewal(day(renewsAt), months, day(from))).toEqual(day(next))
})

test('a sum per year counts all renewals of twelve months', () => {
  expect([perYear(199, 1), perYear(2490, 24), perYear(100, 0)]).toEqual([2388, 1245, 0])
})
