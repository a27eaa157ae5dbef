import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { guessCurrency } from './signup-screen.tsx'

const BROWSERS: [string[], string][] = [
  [['en-US', 'en'], 'usd'],
  [['en', 'en-GB'], 'gbp'],
  [['de-CH'], 'chf'],
  [['fr-FR', 'en-US'], 'eur'],
  [['ja'], 'eur'],
  [['zh-Hans-CN'], 'eur'],
  [[], 'eur'],
]

test('the currency follows the first region among the browser languages and defaults to euro', async () => {
  const failures = await collectFailures(
    BROWSERS,
    ([languages]) => languages.join(),
    ([languages, currency]) => expect(guessCurrency(languages)).toBe(currency),
  )
  expect(failures).toEqual([])
})
