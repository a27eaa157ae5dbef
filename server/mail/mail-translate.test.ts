import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTranslate, type MailKey } from './mail-translate.ts'

type Words = { [key: string]: string | Words }

const load = (language: Language): Words => JSON.parse(readFileSync(`locales/${language}/mail.json`, 'utf8'))
const flat = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) => (typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`)))
const FORM = /_(one|few|many|other)$/
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].filter((name) => name !== '{{count}}').sort()

const english = new Map(flat(load('en')))
const counted = [...english.keys()].filter((key) => key.endsWith('_other')).map((key) => key.replace(FORM, ''))

describe('the words of the mails', () => {
  test('R-1.23 every language has all keys of English, with its own plural forms', async () => {
    const failures = await collectFailures(LANGUAGES, String, (language) => {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      const expected = [
        ...[...english.keys()].filter((key) => !FORM.test(key)),
        ...counted.flatMap((base) => forms.map((form) => `${base}_${form}`)),
      ]
      expect(
        flat(load(language))
          .map(([key]) => key)
          .sort(),
      ).toEqual(expected.sort())
    })
    expect(failures).toEqual([])
  })

  test('R-1.23 every language uses the placeholders of English and has no empty text', async () => {
    const failures = await collectFailures(LANGUAGES, String, (language) => {
      for (const [key, text] of flat(load(language))) {
        expect(text.trim(), key).not.toBe('')
        expect(placeholders(text), key).toEqual(placeholders(english.get(FORM.test(key) ? key.replace(FORM, '_other') : key)!))
      }
    })
    expect(failures).toEqual([])
  })

  /** A pattern without words, and the name of the boost. */
  const SAME = ['layout.fact', 'push.boost']

  test('R-1.23 every other language is translated and not a copy of English', async () => {
    const others = LANGUAGES.filter((language) => language !== 'en')
    const failures = await collectFailures(others, String, (language) => {
      const same = flat(load(language)).filter(([key, text]) => text === english.get(key) && !SAME.includes(key))
      expect(same).toEqual([])
    })
    expect(failures).toEqual([])
  })

  const PLURALS = [
    ['en', 1, 'one month'],
    ['en', 13, '13 months'],
    ['cs', 1, 'jeden měsíc'],
    ['cs', 3, '3 měsíce'],
    ['cs', 13, '13 měsíců'],
    ['fr', 13, '13 mois'],
    ['fi', 13, '13 kuukautta'],
    ['hu', 13, '13 hónapig'],
    ['ja', 1, '1か月'],
  ] as const
  test('a count is followed by the plural form of the language', async () => {
    const failures = await collectFailures(
      PLURALS,
      ([language, count]) => `${language} ${count}`,
      ([language, count, words]) => expect(createTranslate(language)('subscription_code.covers', { count })).toContain(words),
    )
    expect(failures).toEqual([])
  })

  test('placeholders inside a name are not filled in', () => {
    const tracker = '$t(layout.time) {{place}}'
    expect(createTranslate('en')('place_alert.place_leave', { tracker, place: 'Home' })).toBe('$t(layout.time) {{place}} left Home')
  })

  test('R-1.25 a text missing in a language falls back to English', () => {
    expect(createTranslate('xx' as Language)('layout.time' satisfies MailKey)).toBe('Time')
  })
})
