import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createFormats, regionalTag, roundestNumber } from './format.ts'

const plain = (text: string) => text.replace(/\s/gu, ' ')
const en = createFormats('en')
const de = createFormats('de')
const at = '2026-03-02T09:05:00Z'
const ago = (ms: number) => plain(en.age(at, new Date(Date.parse(at) + ms)))

test('a distance is shown in metres or kilometres with suitable precision', async () => {
  expect(
    await collectFailures(
      [
        [0, '0 m'],
        [999.4, '999 m'],
        [999.6, '1 km'],
        [12_340, '12.3 km'],
        [99_960, '100 km'],
      ] as const,
      JSON.stringify,
      ([meters, expected]) => {
        expect(plain(en.distance(meters))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('R-1.25 distances and speeds use the units of the region', async () => {
  expect(
    await collectFailures(
      [
        ['en-US', ['656 ft', '2,625 ft', '0.5 mi', '7.7 mi', '100 mi'], '33 ft', '30 mph'],
        ['en-GB', ['219 yd', '875 yd', '0.5 mi', '7.7 mi', '100 mi'], '10 m', '30 mph'],
        ['es-US', ['656 ft', '2,625 ft', '0.5 mi', '7.7 mi', '100 mi'], '33 ft', '30 mi/h'],
        ['en-AU', ['200 m', '800 m', '806 m', '12.3 km', '161 km'], '10 m', '48 km/h'],
      ] as const,
      JSON.stringify,
      ([region, distances, accuracy, speed]) => {
        const formats = createFormats(region)
        const shown = [200, 800, 806, 12_340, 161_000].map((meters) => plain(formats.distance(meters)))
        expect([shown, plain(formats.meters(10)), plain(formats.speed(48))]).toEqual([distances, accuracy, speed])
      },
    ),
  ).toEqual([])
})

test('numbers use the separators of the language', () => {
  expect(plain(de.distance(12_340))).toBe('12,3 km')
  expect([en.speed(47.6), de.speed(47.6)].map(plain)).toEqual(['48 km/h', '48 km/h'])
  expect([en.percent(0.855), de.percent(0.855)].map(plain)).toEqual(['86%', '86 %'])
})

test('an age is shown in its largest unit', async () => {
  expect(
    await collectFailures(
      [
        [-5000, 'now'],
        [20_000, 'now'],
        [61_000, '1 min. ago'],
        [3 * 3_600_000, '3 hr. ago'],
        [26 * 3_600_000, 'yesterday'],
        [120 * 86_400_000, '120 days ago'],
      ] as const,
      JSON.stringify,
      ([ms, expected]) => {
        expect(ago(ms)).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('a duration is shown in hours and minutes', async () => {
  expect(
    await collectFailures(
      [
        [0, '0 min'],
        [29 * 60_000, '29 min'],
        [3_600_000, '1 h'],
        [25 * 3_600_000 + 5 * 60_000, '25 h 5 min'],
      ] as const,
      JSON.stringify,
      ([ms, expected]) => {
        expect(plain(en.duration(ms))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('R-9.13 a price has the format of the language', async () => {
  expect(
    await collectFailures(
      [
        ['de', '9,95 €'],
        ['nl', '€ 9,95'],
        ['hu', '9,95 EUR'],
      ] as const,
      JSON.stringify,
      ([language, expected]) => {
        expect(plain(createFormats(language).price(995, 'eur'))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test("dates are formatted in the user's language", () => {
  expect(createFormats('ja').date(at)).toBe('2026/03/02')
  expect(de.day(at)).toBe('Montag, 2. März')
})

test('an unreadable value is a dash', async () => {
  const { distance, meters, speed, percent, number, duration, date, day, shortDay, time, exactTime, dateTime } = en
  const now = new Date(at)
  expect(
    await collectFailures(
      [
        ...[distance, meters, speed, percent, number, duration, (value: number) => en.price(value, 'eur')].map((format) =>
          [Number.NaN, Number.POSITIVE_INFINITY, null, undefined].map((value) => format(value as number)),
        ),
        ...[date, day, shortDay, time, exactTime, dateTime, (instant: string) => en.age(instant, now)].map((format) =>
          ['', 'soon', null, undefined, new Date(Number.NaN)].map((value) => format(value as string)),
        ),
      ],
      JSON.stringify,
      (texts) => expect(new Set(texts)).toEqual(new Set(['–'])),
    ),
  ).toEqual([])
})

test('a price without a currency code is only the number', async () => {
  expect(
    await collectFailures(
      [
        ['', '1,234.50'],
        ['euro', '1,234.50'],
        ['€', '1,234.50'],
        ['xyz', 'XYZ 1,234.50'],
        ['EUR', '€1,234.50'],
      ] as const,
      JSON.stringify,
      ([currency, expected]) => expect(plain(en.price(123_450, currency))).toBe(expected),
    ),
  ).toEqual([])
})

test('the locale has the browser’s region when the browser uses the same language', async () => {
  expect(
    await collectFailures(
      [
        ['en', ['fr', 'en-GB'], 'en-GB'],
        ['de', ['en-US'], 'de'],
      ] as const,
      JSON.stringify,
      ([language, browser, expected]) => {
        expect(regionalTag(language, browser)).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('chosen units take precedence over those of the region', () => {
  expect(createFormats('en-US', 'km').distance(5000)).toBe('5 km')
  expect(createFormats('de-DE', 'miles').distance(5000)).toBe('3,1 mi')
  expect(createFormats('de-DE', 'miles').speed(100)).toBe('62 mi/h')
  expect(createFormats('en-GB', 'miles').distance(200)).toBe('219 yd')
})

test('a multiple of five feet is shown as it was entered, although whole metres are stored', () => {
  const { setDistance, inputUnits } = createFormats('en-US')
  const { symbol, size } = inputUnits().distance
  expect(symbol).toBe('ft')
  for (let feet = 165; feet < 2640; feet += 5) {
    const stored = Math.round(feet * size)
    expect(setDistance(stored)).toBe(`${feet.toLocaleString('en-US')} ft`)
    expect(roundestNumber(stored, size)).toBe(feet)
  }
})

test('a whole number of miles per hour is shown as it was entered, although whole km/h are stored', () => {
  const { size } = createFormats('en-GB').inputUnits().speed
  for (let miles = 4; miles <= 248; miles++) expect(roundestNumber(Math.round(miles * size), size)).toBe(miles)
})

test('a distance in metres stays as it is', () => {
  for (const meters of [50, 123, 999, 100_000]) expect(roundestNumber(meters, 1)).toBe(meters)
})
