import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { correctRollover, readTime } from './time.ts'

const AT = '2026-03-02T08:59:00.000Z'
const at = (text: string, fraction: string) => text.replace('.000Z', `.${fraction}Z`)

test('an instant is read in every notation', async () => {
  const rows: [unknown, string][] = [
    // Numbers
    [1772441940, AT],
    ['1772441940', AT],
    ['1772441940.25', at(AT, '250')],
    ['1772441940,25', at(AT, '250')],
    ['1.77244194E9', AT],
    [1772441940250, at(AT, '250')],
    ['1772441940250123', at(AT, '250')],
    ['1772441940250123456', at(AT, '250')],
    ['۱۷۷۲۴۴۱۹۴۰', AT],
    [0, '1970-01-01T00:00:00.000Z'],
    // Zones
    ['2026-03-02T08:59:00Z', AT],
    ['2026-03-02t08:59:00z', AT],
    ['2026-03-02T08:59:00', AT],
    ['2026-03-02 08:59', AT],
    ['2026-03-02 08:59:00+00', AT],
    ['2026-03-02 10:59:00+02', AT],
    ['2026-03-02T10:59:00+0200', AT],
    ['2026-03-02T10:59:00+02:00', AT],
    ['2026-03-02T10:59:00+02:00:00', AT],
    ['2026-03-02T10:59:00 +02:00', AT],
    ['2026-03-02T10:59:00 02:00', AT],
    ['2026-03-02T10:59:00 0200', AT],
    ['2026-03-02T10:59:00 02', AT],
    ['2026-03-02T05:29:00-0330', AT],
    ['2026-03-02T05:29:00−03:30', AT],
    ['2026-03-02T14:29:00+530', AT],
    ['2026-03-02 08:59:00 UTC', AT],
    ['2026-03-02 08:59:00UTC', AT],
    ['2026-03-02 08:59:00 GMT', AT],
    ['2026-03-02 08:59:00 Z', AT],
    ['2026-03-02 10:59:00 GMT+2', AT],
    ['2026-03-02 10:59:00 UTC+02:00', AT],
    ['2026-03-02 10:59:00 GMT +0200', AT],
    ['2026-03-02T09:59:00+01:00[Europe/Paris]', AT],
    // Fractions
    ['2026-03-02T08:59:00.25Z', at(AT, '250')],
    ['2026-03-02T08:59:00,250Z', at(AT, '250')],
    ['2026-03-02 08:59:00.123456+00', at(AT, '123')],
    ['2026-03-02T08:59:00.123456789Z', at(AT, '123')],
    // Forms of ISO 8601
    ['20260302T085900Z', AT],
    ['20260302T105900+0200', AT],
    ['20260302085900', AT],
    [20260302085900, AT],
    ['20260302 08:59:00', AT],
    ['۲۰۲۶-۰۳-۰۲T۰۸:۵۹:۰۰Z', AT],
    // Local forms
    ['2026/03/02 08:59:00', AT],
    ['2026/3/2 8:59:00', AT],
    ['2026.03.02 08:59:00', AT],
    ['2026. 3. 2. 8:59:00', AT],
    ['02.03.2026 08:59:00', AT],
    ['2.3.2026, 08:59:00', AT],
    ['02.03.2026 08.59.00', AT],
    ['2011/09/26 10:00:00', '2011-09-26T10:00:00.000Z'],
    ['26.09.2011 10:00', '2011-09-26T10:00:00.000Z'],
    ['26/09/2011 10:00:00', '2011-09-26T10:00:00.000Z'],
    ['09/26/2011 10:00:00 AM', '2011-09-26T10:00:00.000Z'],
    ['9/26/2011, 10:00:00 p.m.', '2011-09-26T22:00:00.000Z'],
    ['26-09-2011 12:00:00 am', '2011-09-26T00:00:00.000Z'],
    ['03/03/2026 08:59:00', '2026-03-03T08:59:00.000Z'],
    ['2 Mar 2026 08:59:00', AT],
    ['02-Mar-2026 08:59:00', AT],
    ['March 2, 2026 8:59:00 AM', AT],
    ['Mon, 02 Mar 2026 08:59:00 GMT', AT],
    ['Mon Mar  2 08:59:00 2026', AT],
    ['Mon Mar 02 08:59:00 UTC 2026', AT],
    ['Mon Mar 02 2026 10:59:00 GMT+0200 (Eastern European Standard Time)', AT],
    [' 2026-03-02T08:59:00Z ', AT],
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z'],
    ['2000-02-29T10:00:00Z', '2000-02-29T10:00:00.000Z'],
  ]
  expect(
    await collectFailures(
      rows,
      ([text]) => String(text),
      ([text, instant]) => expect(new Date(readTime(text)).toISOString()).toBe(instant),
    ),
  ).toEqual([])
})

test('impossible, ambiguous and incomplete times are rejected, never rolled over or guessed', async () => {
  const rows: unknown[] = [
    ...['2026-02-30T08:59:00Z', '2026-02-29T10:00:00Z', '2100-02-29T10:00:00Z', '2026-04-31 10:00', '2026-13-01 10:00', '2026-00-10 10:00'],
    ...['30.02.2026 10:00', '31/04/2026 10:00', '2026/02/30 10:00', '30 Feb 2026 10:00', '20260230T085900Z', '0000-01-01T00:00:00Z'],
    ...[
      '2026-03-02T24:00:00Z',
      '2026-03-02T25:00:00Z',
      '2026-03-02T10:60:00Z',
      '2026-03-02T10:00:60Z',
      '2026-03-02 13:00 PM',
      '2.3.2026 0:30 am',
    ],
    ...['03/04/2026 10:00', '03-04-2026 10:00', '02.03.26 10:00', '26/3/2 10:00', '26-03-02T10:00:00Z', '2 Mar 26 10:00'],
    ...[
      '2026-03-02T10:00:00+25:00',
      '2026-03-02T10:00:00+02:75',
      '2026-03-02T10:00:00 CET',
      '2026-03-02T10:00:00 noon',
      '2026-03-02T13:45:12  02:00',
    ],
    ...['2026-03-02', '12:30', '', ' ', 'now', 'NaN', '-5', '1e999', '253402300800000000000', '2026-03-02T10', '2 Mard 2026 10:00'],
    ...[-5, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, {}, []],
  ]
  expect(await collectFailures(rows as string[], String, (value) => expect(readTime(value)).toBeNaN())).toEqual([])
})

test('a date without a time of day begins at midnight in UTC where dates are allowed', async () => {
  const rows = ['2026-03-02', '2026/03/02', '02.03.2026', '20260302', '2 March 2026'].map((text) => [text, Date.UTC(2026, 2, 2)] as const)
  expect(
    await collectFailures(
      rows,
      ([text]) => text,
      ([text, midnight]) => expect(readTime(text, 'date')).toBe(midnight),
    ),
  ).toEqual([])
  expect([readTime('2026-02-30', 'date'), readTime('02/03/2026', 'date')]).toEqual([Number.NaN, Number.NaN])
})

test('a time that is 1024 or 2048 GPS weeks too early is corrected when that makes it recent', () => {
  const now = Date.parse('2026-03-02T09:00:00Z')
  const correct = (text: string) => new Date(correctRollover(Date.parse(text), now)).toISOString()
  expect(
    [AT, '2006-07-17T08:59:00Z', '1986-12-01T08:59:00Z', '2006-06-18T08:59:00Z', '2006-05-01T08:59:00Z', '2006-07-17T09:30:00Z'].map(
      correct,
    ),
  ).toEqual([AT, AT, AT, '2026-02-01T08:59:00.000Z', '2006-05-01T08:59:00.000Z', '2006-07-17T09:30:00.000Z'])
})
