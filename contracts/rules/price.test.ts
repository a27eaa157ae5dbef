import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { findLocalCurrency } from './local-currency.ts'
import {
  billingPeriod,
  chargeStep,
  formatPrice,
  hasTaxNote,
  isRenewing,
  minorUnitDigits,
  monthlyPrice,
  parseMetaNumber,
  roundCharge,
  splitMonths,
  yearlyPrice,
} from './price.ts'

/** ICU versions differ in the space character they use. */
const blanks = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('R-9.13 R-3.78 prices in a currency with two decimals are divided by 100 and formatted in each language', async () => {
  expect(
    await collectFailures(
      [
        [995, 'eur', ['€9.95', '9,95 €', '9,95 €', '€ 9,95', '9,95 EUR', '€9.95']],
        [4788, 'eur', ['€47.88', '47,88 €', '47,88 €', '€ 47,88', '47,88 EUR', '€47.88']],
        [123456, 'eur', ['€1,234.56', '1 234,56 €', '1.234,56 €', '€ 1.234,56', '1234,56 EUR', '€1,234.56']],
        [1495, 'usd', ['$14.95', '14,95 $US', '14,95 $', 'US$ 14,95', '14,95 USD', '$14.95']],
        [0, 'eur', ['€0.00', '0,00 €', '0,00 €', '€ 0,00', '0,00 EUR', '€0.00']],
      ] as const,
      ([minor, currency]) => `${minor} ${currency}`,
      ([minor, currency, texts]) => {
        const locales = ['en', 'fr', 'de', 'nl', 'hu', 'ja']
        expect(locales.map((locale) => blanks(formatPrice(minor, currency, locale)))).toEqual(texts)
      },
    ),
  ).toEqual([])
})

test('R-9.13 R-9.21 prices, also per month and per year, are formatted as usual in each language', () => {
  const written = (language: string) =>
    [4788, monthlyPrice(2490, 24) ?? 0, yearlyPrice(2985, 36) ?? 0].map((minor) => blanks(formatPrice(minor, 'eur', language))).join(' | ')
  const before = '€47.88 | €1.04 | €9.95'
  const after = '47,88 € | 1,04 € | 9,95 €'
  const spaced = '€ 47,88 | € 1,04 | € 9,95'
  expect(Object.fromEntries(LANGUAGES.map((language) => [language, written(language)]))).toEqual({
    ...{ en: before, ja: before, nl: spaced, pt: spaced, hu: '47,88 EUR | 1,04 EUR | 9,95 EUR' },
    ...{ fr: after, de: after, es: after, it: after, sv: after, fi: after, cs: after },
  })
})

test('R-9.14 R-9.21 the price per month and per year follows from amount and months', async () => {
  expect(
    await collectFailures(
      [
        ['R-9.14', 199, 1, 199, '€1.99', 2388],
        ['R-9.14', 499, 3, 166.33, '€1.66', 1996],
        ['R-9.14', 1495, 12, 124.58, '€1.25', 1495],
        ['R-9.14', 2490, 24, 103.75, '€1.04', 1245],
        ['R-9.21', 2985, 36, 82.92, '€0.83', 995],
      ] as const,
      String,
      ([, amount, months, monthly, shown, yearly]) => {
        const exact = monthlyPrice(amount, months)
        expect(exact).toBeCloseTo(monthly, 2)
        expect(formatPrice(exact ?? Number.NaN, 'eur', 'en')).toBe(shown)
        expect(yearlyPrice(amount, months)).toBe(yearly)
      },
    ),
  ).toEqual([])
})

test('R-9.14 without a duration there is no price per month or year', () => {
  expect([monthlyPrice(990, 0), yearlyPrice(990, 0)]).toEqual([null, null])
})

test("R-9.14 a year's price is exact, never a sum of rounded months", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 10 }), (amount, years) => yearlyPrice(amount * years, 12 * years) === amount),
  )
})

test('R-3.66 R-3.67 a numeric meta_data value is parsed, anything else is 0', async () => {
  expect(
    await collectFailures(
      [
        ['12', 12],
        [12, 12],
        [' 1 ', 1],
        ['0', 0],
        [undefined, 0],
        [null, 0],
        ['', 0],
        ['-1', 0],
        [-1, 0],
        ['abc', 0],
        ['1e3', 0],
        [Number.NaN, 0],
        [Number.POSITIVE_INFINITY, 0],
        [true, 0],
      ] as const,
      String,
      ([value, number]) => {
        expect(parseMetaNumber(value)).toBe(number)
      },
    ),
  ).toEqual([])
})

test('R-3.66 "12" months and "1" extra add up to 13, not to "121"', () => {
  expect(parseMetaNumber('12') + parseMetaNumber('1')).toBe(13)
})

test('R-3.74 only an exclusive tax shows a note', async () => {
  expect(
    await collectFailures(
      [
        ['exclusive', true],
        ['inclusive', false],
        ['unspecified', false],
      ] as const,
      String,
      ([behavior, isShown]) => {
        expect(hasTaxNote(behavior)).toBe(isShown)
      },
    ),
  ).toEqual([])
})

/** Digits of ICU that differ from those of Stripe's amounts among the currencies below: forints have two at Stripe. */
const digitsOfIntl = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
const OTHERS = ['kwd', 'bhd', 'krw', 'clp', 'vnd', 'cad', 'aud', 'brl', 'xyz']

test('R-3.63 every currency has as many digits in its minor unit as Intl knows, except the forint, which has two at Stripe', () => {
  const differing = [...CURRENCIES, ...OTHERS].filter((currency) => minorUnitDigits(currency) !== digitsOfIntl(currency))
  expect(differing).toEqual(['huf'])
  expect(['huf', 'HUF', 'JPY', ''].map(minorUnitDigits)).toEqual([2, 2, 0, 2])
})

test('R-9.13 in every language an amount of every currency is written with the digits that Intl shows', async () => {
  const rows = [...CURRENCIES, ...OTHERS].flatMap((currency) => LANGUAGES.map((language) => [currency, language] as const))
  const failures = await collectFailures(rows, String, ([currency, language]) => {
    const expected = new Intl.NumberFormat(language, { style: 'currency', currency }).format(4321)
    expect(formatPrice(4321 * 10 ** minorUnitDigits(currency), currency, language)).toBe(expected)
  })
  expect(failures).toEqual([])
})

test('forints are charged and shown in whole ones, every other currency in minor units', () => {
  expect(CURRENCIES.filter((currency) => chargeStep(currency) !== 1)).toEqual(['huf'])
  expect([roundCharge(99_950, 'huf'), roundCharge(99_949, 'huf'), roundCharge(0.5, 'jpy'), roundCharge(12.4, 'eur')]).toEqual([
    100_000, 99_900, 1, 12,
  ])
  expect(formatPrice(41_583.3, 'huf', 'hu').replace(/\s/, ' ')).toBe('416 Ft')
  expect(formatPrice(208.3, 'jpy', 'ja')).toBe('￥208')
})

test('R-9.15 R-3.69 12 or more months are split into years and months', async () => {
  expect(
    await collectFailures(
      [
        [0, 0, 0],
        [1, 0, 1],
        [3, 0, 3],
        [11, 0, 11],
        [12, 1, 0],
        [13, 1, 1],
        [18, 1, 6],
        [24, 2, 0],
        [36, 3, 0],
      ] as const,
      String,
      ([months, years, rest]) => {
        expect(splitMonths(months)).toEqual({ years, months: rest })
      },
    ),
  ).toEqual([])
})

test('R-9.16 R-3.71 a recurrence of whole years is given in years, any other in months', async () => {
  expect(
    await collectFailures(
      [
        ['month', 1, { every: 1, unit: 'month' }],
        ['year', 1, { every: 1, unit: 'year' }],
        ['month', 3, { every: 3, unit: 'month' }],
        ['year', 2, { every: 2, unit: 'year' }],
        ['month', 12, { every: 1, unit: 'year' }],
        ['month', 24, { every: 2, unit: 'year' }],
        ['month', 18, { every: 18, unit: 'month' }],
      ] as const,
      JSON.stringify,
      ([interval, interval_count, period]) => {
        expect(billingPeriod({ interval, interval_count })).toEqual(period)
      },
    ),
  ).toEqual([])
})

test('R-9.16 R-3.72 a price without recurrence is one-time', () => {
  expect(billingPeriod(null)).toBeNull()
})

test.each<[string[], string, string | undefined]>([
  [['en-US', 'en'], 'Europe/Stockholm', 'usd'],
  [['en', 'en-GB'], '', 'gbp'],
  [['de-CH'], 'Europe/Berlin', 'chf'],
  [['fr-FR', 'en-US'], '', 'eur'],
  [['zh-Hans-CN'], '', 'eur'],
  [['ja', 'en-US', 'en'], 'America/New_York', 'jpy'],
  [['sv-FI', 'sv'], 'Europe/Stockholm', 'eur'],
  [['hu'], '', 'huf'],
  [['de', 'en-US', 'en'], 'Europe/Berlin', 'eur'],
  [['de', 'en-US', 'en'], 'Europe/Zurich', 'chf'],
  [['en'], 'Europe/Warsaw', 'pln'],
  [['de', 'en-US', 'en'], 'America/New_York', 'usd'],
  [['en'], 'America/Montevideo', undefined],
  [[], 'UTC', undefined],
])('the currency of the languages %j in the time zone %j is %s', (languages, zone, currency) => {
  expect(findLocalCurrency(languages, zone)).toBe(currency)
})

test('the country of each language of the portal and its neighbours has a currency in which something is sold', () => {
  const tags = [
    'en-GB',
    'en-US',
    'fr-FR',
    'de-DE',
    'de-AT',
    'de-CH',
    'es-ES',
    'it-IT',
    'nl-NL',
    'pt-PT',
    'sv-SE',
    'fi-FI',
    'hu-HU',
    'cs-CZ',
  ]
  const more = ['ja-JP', 'da-DK', 'nb-NO', 'pl-PL']
  expect(new Set([...tags, ...more].map((tag) => findLocalCurrency([tag])))).toEqual(new Set(CURRENCIES))
})

test('a price renews, does not renew, or its backend does not say', () => {
  const recurring = [null, { interval: 'week', interval_count: 1 }, { interval: 'unknown', interval_count: 1 }]
  expect(recurring.map(isRenewing)).toEqual([false, true, null])
})
