import { expect, test } from 'vitest'
import { dailySpan, findQuietEnd, leavesTime, type QuietSpan } from './quiet-hours.ts'

const NIGHT = [dailySpan({ from: '22:00', to: '07:00' })]
const WEEKDAYS = [1, 2, 3, 4, 5]
const WEEK: QuietSpan[] = [
  { days: [7, 1, 2, 3, 4], from: '22:00', to: '07:00' },
  { days: [5], from: '23:00', to: '00:00' },
  { days: [6, 7], from: '00:00', to: '10:00' },
]
const SIESTA: QuietSpan[] = [
  { days: WEEKDAYS, from: '13:00', to: '15:00' },
  { days: [3], from: '14:00', to: '16:30' },
  { days: [4], from: '15:00', to: '15:30' },
  { days: [5], from: '15:01', to: '16:00' },
]
const WEEKEND: QuietSpan[] = [{ days: [6, 7], from: '00:00', to: '00:00' }]
const SUNDAY: QuietSpan[] = [{ days: [7], from: '20:00', to: '09:00' }]
const BERLIN = 'Europe/Berlin'

/** 2 March 2026 is a Monday. */
const rows: [about: string, spans: QuietSpan[], zone: string, at: string, end: string | null][] = [
  ['before a night', NIGHT, 'UTC', '2026-03-02T21:59:59Z', null],
  ['as a night begins', NIGHT, 'UTC', '2026-03-02T22:00:00Z', '2026-03-03T07:00:00Z'],
  ['within a second of the end', NIGHT, 'UTC', '2026-03-03T06:59:59.999Z', '2026-03-03T07:00:00Z'],
  ['as a night ends', NIGHT, 'UTC', '2026-03-03T07:00:00Z', null],
  ['without spans', [], 'UTC', '2026-03-02T23:00:00Z', null],
  ['at night in another zone', NIGHT, 'America/Montevideo', '2026-03-02T01:30:00Z', '2026-03-02T10:00:00Z'],
  ['by day in another zone', NIGHT, 'America/Montevideo', '2026-03-02T12:00:00Z', null],
  ['from Sunday to Monday', SUNDAY, 'UTC', '2026-03-02T08:59:00Z', '2026-03-02T09:00:00Z'],
  ['on another morning than Monday', SUNDAY, 'UTC', '2026-03-03T08:59:00Z', null],
  ['on a Sunday that is a Monday in UTC', SUNDAY, 'America/Montevideo', '2026-03-02T01:00:00Z', '2026-03-02T12:00:00Z'],
  ['on a Friday evening before the late span', WEEK, 'UTC', '2026-03-06T22:30:00Z', null],
  ['over touching spans at midnight', WEEK, 'UTC', '2026-03-06T23:10:00Z', '2026-03-07T10:00:00Z'],
  ['in the early hours of a Friday', WEEK, 'UTC', '2026-03-06T03:00:00Z', '2026-03-06T07:00:00Z'],
  ['on a Saturday night', WEEK, 'UTC', '2026-03-07T23:00:00Z', null],
  ['on a weekday at noon', SIESTA, 'UTC', '2026-03-02T13:30:00Z', '2026-03-02T15:00:00Z'],
  ['over overlapping spans', SIESTA, 'UTC', '2026-03-04T13:30:00Z', '2026-03-04T16:30:00Z'],
  ['over spans of which one begins as the other ends', SIESTA, 'UTC', '2026-03-05T13:30:00Z', '2026-03-05T15:30:00Z'],
  ['before a gap of one minute', SIESTA, 'UTC', '2026-03-06T13:30:00Z', '2026-03-06T15:00:00Z'],
  ['in a gap of one minute', SIESTA, 'UTC', '2026-03-06T15:00:30Z', null],
  ['over two whole days', WEEKEND, 'UTC', '2026-03-07T00:00:00Z', '2026-03-09T00:00:00Z'],
  ['in the night in which the clocks go forward', NIGHT, BERLIN, '2026-03-28T22:30:00Z', '2026-03-29T05:00:00Z'],
  ['in the night in which the clocks go back', NIGHT, BERLIN, '2026-10-24T21:30:00Z', '2026-10-25T06:00:00Z'],
  ['until a time that is skipped', [dailySpan({ from: '22:00', to: '02:30' })], BERLIN, '2026-03-29T00:40:00Z', '2026-03-29T01:00:00Z'],
  ['from a time that is skipped', [dailySpan({ from: '02:30', to: '04:00' })], BERLIN, '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z'],
  ['before a time that is skipped', [dailySpan({ from: '02:30', to: '04:00' })], BERLIN, '2026-03-29T00:59:59Z', null],
  ['within hours that are skipped', [dailySpan({ from: '02:10', to: '02:50' })], BERLIN, '2026-03-29T01:00:00Z', null],
  ['until a time that comes twice', [dailySpan({ from: '22:00', to: '02:30' })], BERLIN, '2026-10-25T00:40:00Z', '2026-10-25T01:30:00Z'],
  ['from a time that comes twice', [dailySpan({ from: '02:30', to: '04:00' })], BERLIN, '2026-10-25T00:30:00Z', '2026-10-25T03:00:00Z'],
  ['where midnight is skipped', WEEKEND, 'America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  ['where the clocks move by half an hour', NIGHT, 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', '2026-04-04T20:30:00Z'],
]

test.each(rows)('quiet hours %s end when their spans end', (_, spans, zone, at, end) => {
  const found = findQuietEnd(Date.parse(at), spans, zone)
  expect(found === null ? null : new Date(found).toISOString()).toBe(end && new Date(end).toISOString())
})

test('quiet hours end within two weeks, even if the clocks skip the only time without them', () => {
  const spans: QuietSpan[] = [
    { days: [1, 2, 3, 4, 5, 6], from: '03:00', to: '03:00' },
    { days: [7], from: '03:00', to: '02:00' },
    { days: [7], from: '02:30', to: '03:00' },
  ]
  const at = Date.parse('2026-03-24T00:00:00Z')
  expect(findQuietEnd(at, spans, BERLIN)).toBeLessThan(at + 15 * 86_400_000)
})

test('spans that cover the week leave no time in which alerts come', () => {
  const covering: QuietSpan[] = [
    { days: [1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00' },
    { days: [7], from: '00:00', to: '12:00' },
    { days: [7], from: '12:00', to: '00:00' },
  ]
  expect([leavesTime(covering), leavesTime(covering.slice(1)), leavesTime([...covering.slice(0, 2)]), leavesTime([])]).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(leavesTime([dailySpan({ from: '08:00', to: '08:00' })])).toBe(false)
})
