import { expect, test } from 'vitest'
import { linkDates, linkWindow } from './link-dates.ts'

const now = new Date('2026-03-01T08:00:00Z')
const end_date = '2026-03-02T08:00:00Z'
const end = new Date(end_date)
const permanent = new Date('2200-01-01T00:00:00Z')

test.each([
  ['R-3.55 a start of now unless given', { end_date }, { start: now, end, expiry: end }],
  [
    'R-3.55 the start given',
    { start_date: '2026-02-01T00:00:00Z', end_date },
    { start: new Date('2026-02-01T00:00:00Z'), end, expiry: end },
  ],
  [
    'R-3.59 no start from the beginning',
    { start_date: '2026-02-01T00:00:00Z', end_date, from_beginning: true },
    { start: null, end, expiry: end },
  ],
  ['R-3.58 no expiry when permanent', { permanent: true }, { start: now, end: permanent, expiry: null }],
  [
    'R-3.58 no other end when permanent',
    { permanent: true, end_date: '2020-01-01T00:00:00Z' },
    { start: now, end: permanent, expiry: null },
  ],
])('%s (D-17)', (_words, request, dates) => {
  expect(linkDates(request, now)).toEqual(dates)
})

test.each([
  ['R-3.56 missing', {}, 'required'],
  ['R-3.56 null', { end_date: null }, 'required'],
  ['R-3.56 now', { end_date: '2026-03-01T08:00:00Z' }, 'past'],
  ['R-3.56 before now', { end_date: '2026-03-01T07:00:00Z', from_beginning: true }, 'past'],
  ['R-3.56 at its start', { start_date: end_date, end_date }, 'before_start'],
  ['R-3.56 before its start', { start_date: '2026-04-01T00:00:00Z', end_date }, 'before_start'],
])('%s is no end for a link (D-17)', (_words, request, fault) => {
  expect(linkDates(request, now)).toBe(fault)
})

test('R-2.41 a link shows positions from its start to now, or to its end once that has passed (D-17)', () => {
  expect(linkWindow({ start_date: null, end_date }, now)).toEqual({ from: null, to: now })
  expect(linkWindow({ start_date: '2026-02-01T00:00:00Z', end_date: '2026-02-02T00:00:00Z' }, now)).toEqual({
    from: new Date('2026-02-01T00:00:00Z'),
    to: new Date('2026-02-02T00:00:00Z'),
  })
})
