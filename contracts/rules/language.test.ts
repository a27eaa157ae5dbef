import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { pickLanguage } from './language.ts'

test('R-1.24 R-1.25 the first supported language of the browser is picked, English otherwise', async () => {
  expect(
    await collectFailures(
      [
        ['R-1.24', ['fr-CA'], 'fr'],
        ['R-1.24', ['pt-BR'], 'pt'],
        ['R-1.24', ['zh', 'de-AT'], 'de'],
        ['R-1.24', ['ja_JP'], 'ja'],
        ['R-1.24', ['FI'], 'fi'],
        ['R-1.24', ['nl', 'fr'], 'nl'],
        ['R-1.25', ['zh-CN'], 'en'],
        ['R-1.25', [], 'en'],
        ['R-1.25', [''], 'en'],
        ['R-1.25', ['fil'], 'en'],
      ] as const,
      JSON.stringify,
      ([, browser, language]) => {
        expect(pickLanguage(browser)).toBe(language)
      },
    ),
  ).toEqual([])
})

test('R-1.23 all twelve languages are picked by their own code', () => {
  expect(LANGUAGES.map((language) => pickLanguage([language]))).toEqual(LANGUAGES)
  expect(LANGUAGES).toHaveLength(12)
})
