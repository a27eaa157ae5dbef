import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isBirthDate, parseRole, personName, pickLanguage } from './user.ts'

test('R-6.4 every role is known', async () => {
  expect(
    await collectFailures(ROLES, String, (role) => {
      expect(parseRole(role)).toBe(role)
    }),
  ).toEqual([])
})

test('R-6.2 an unknown role has the rights of a user', async () => {
  expect(
    await collectFailures(['', 'ADMIN', 'superuser', 'constructor'] as const, JSON.stringify, (role) => {
      expect(parseRole(role)).toBe('user')
    }),
  ).toEqual([])
})

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

test('the family name comes first in Hungarian and Japanese', async () => {
  expect(
    await collectFailures(
      [
        ['en', 'Anna Kovács'],
        ['hu', 'Kovács Anna'],
        ['ja', 'Kovács Anna'],
      ] as const,
      JSON.stringify,
      ([language, name]) => {
        expect(personName('Anna', 'Kovács', language)).toBe(name)
      },
    ),
  ).toEqual([])
})

test('a missing first or last name leaves no blank', () => {
  expect([personName('', 'Kovács', 'en'), personName('Anna', '', 'hu')]).toEqual(['Kovács', 'Anna'])
})

test('R-3.47 a birth date is a calendar day from 1900 until today', async () => {
  expect(
    await collectFailures(
      [
        ['1900-01-01', true],
        ['1984-02-29', true],
        ['2026-03-01', true],
        ['2026-03-02', false],
        ['1899-12-31', false],
        ['1985-02-29', false],
        ['2000-13-01', false],
        ['2000-00-10', false],
        ['01.02.2000', false],
        ['2000-1-1', false],
        ['2000-01-01T00:00:00Z', false],
        ['', false],
      ] as const,
      ([row]) => row,
      ([text, isValid]) => {
        expect(isBirthDate(text, new Date('2026-03-01T08:00:00Z'))).toBe(isValid)
      },
    ),
  ).toEqual([])
})
