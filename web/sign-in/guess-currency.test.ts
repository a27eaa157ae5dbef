import { expect, test } from 'vitest'
import { guessCurrency } from './guess-currency.ts'

test.each([
  [['en-US', 'en'], 'usd'],
  [['en', 'en-GB'], 'gbp'],
  [['de-CH'], 'chf'],
  [['fr-FR', 'en-US'], 'eur'],
  [['ja'], 'eur'],
  [['zh-Hans-CN'], 'eur'],
  [[], 'eur'],
])('a browser in %j pays in %s', (languages, currency) => {
  expect(guessCurrency(languages)).toBe(currency)
})
