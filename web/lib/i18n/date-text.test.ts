import { expect, test } from 'vitest'
import { formatClockText, formatDateText, formatDateTimeText, parseClockText, parseDateText, parseDateTimeText } from './date-text.ts'

test.each([
  ['15:00', 900],
  ['15.07', 907],
  ['1507', 907],
  ['907', 547],
  ['15h07', 907],
  ['15 h', 900],
  ['15', 900],
  ['15 Uhr', 900],
  ['klo 15', null],
  ['3 pm', 900],
  ['3:07 p.m.', 907],
  ['3:07 PM', 907],
  ['12 am', 0],
  ['12:30 pm', 750],
  ['0:00', 0],
  ['24:00', 1440],
  ['24:01', null],
  ['15:60', null],
  ['13 pm', null],
  ['0 am', null],
  ['', null],
  ['noon', null],
  ['-1:00', null],
])('the typed time %j is %j minutes after midnight', (text, minutes) => {
  expect(parseClockText(text)).toBe(minutes)
})

test('a time is written with two digits each', () => {
  expect([0, 547, 900, 1439].map(formatClockText)).toEqual(['00:00', '09:07', '15:00', '23:59'])
})

test.each([
  ['en-US', '02/24/2026', '2026-02-24'],
  ['en-GB', '24/02/2026', '2026-02-24'],
  ['en-GB', '03/02/26', '2026-02-03'],
  ['en-US', '03/02/26', '2026-03-02'],
  ['de', '24.2.2026', '2026-02-24'],
  ['hu', '2026. 02. 24.', '2026-02-24'],
  ['sv', '2026-02-24', '2026-02-24'],
  ['ja', '2026年2月24日', '2026-02-24'],
  ['de', '2026-02-24', '2026-02-24'],
  ['en-US', '24/02/2026', null],
  ['de', '29.02.2026', null],
  ['de', '29.02.2028', '2028-02-29'],
  ['de', '24. Februar', null],
  ['de', '24.02.', null],
  ['de', '', null],
])('in %s the typed date %j is the day %j', (locale, text, day) => {
  expect(parseDateText(text, locale)).toBe(day)
})

test.each(['en-US', 'en-GB', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'sv', 'fi', 'hu', 'cs', 'ja'])(
  'in %s a date and time that were written are read again',
  (locale) => {
    for (const value of ['2026-02-03T00:00', '2026-11-29T09:05', '2026-12-31T23:59']) {
      expect(parseDateText(formatDateText(value.slice(0, 10), locale), locale)).toBe(value.slice(0, 10))
      expect(parseDateTimeText(formatDateTimeText(value, locale), locale)).toBe(value)
    }
  },
)

test('a date without a time, or with another text in its place, is no date and time', () => {
  for (const text of ['24.02.2026', '24.02.2026 noon', '15:00', '2026-02-24T24:00']) expect(parseDateTimeText(text, 'de')).toBeNull()
  expect(parseDateTimeText('2026-02-24T15:00', 'de')).toBe('2026-02-24T15:00')
})
