import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  checkLocales,
  createKeyMatcher,
  expectedKeys,
  flattenTexts,
  hasWords,
  placeholders,
  pluralBases,
  stripPluralForm,
} from './locales.ts'

type Words = Record<string, unknown>

const english = { hello: 'Hello {{name}}', trackers_one: 'One tracker', trackers_other: '{{count}} trackers', login: { title: 'Sign in' } }
const uses = "t('hello'); t('trackers'); t('login.title'); t('subject')"

/** Complete locales in every language, with the given changes to the Czech portal. */
const project = (czech: (words: Words) => Words, more: Record<string, string> = {}) => {
  const counted = (language: string) => [...expectedKeys(['trackers_one', 'trackers_other'], language)]
  const words = (language: string): Words =>
    language === 'en'
      ? english
      : {
          hello: `${language} ahoy {{name}}`,
          login: { title: `${language} prihlaseni` },
          ...Object.fromEntries(counted(language).map((key) => [key, `${language} stopky {{count}}`])),
        }
  const entries = LANGUAGES.flatMap((language) => [
    [`locales/${language}/portal.json`, JSON.stringify(language === 'cs' ? czech(words('cs')) : words(language))] as const,
    [`locales/${language}/mail.json`, JSON.stringify({ subject: `${language} subject` })] as const,
  ])
  return new Map<string, string>([...entries, ['web/a.tsx', uses], ...Object.entries(more)])
}

const without = (key: string) => (words: Words) => Object.fromEntries(Object.entries(words).filter(([one]) => one !== key))

test('complete locales pass', () => {
  expect(checkLocales(project((words) => words))).toEqual({ fileCount: 24, problems: [] })
})

const BROKEN: [name: string, change: (words: Words) => Words, problem: string][] = [
  ['a missing key', without('hello'), 'lacks hello'],
  ['a missing plural form', without('trackers_few'), 'lacks trackers_few'],
  ['a plural form the language does not have', (words) => ({ ...words, trackers_two: 'x {{count}}' }), 'has trackers_two'],
  ['a key English does not have', (words) => ({ ...words, more: 'x' }), 'has more'],
  ['another placeholder', (words) => ({ ...words, hello: 'ahoj {{nome}}' }), 'cs/portal.json hello has the placeholders (nome)'],
  ['an empty text', (words) => ({ ...words, hello: ' ' }), 'hello is empty'],
  ['an untranslated text', (words) => ({ ...words, hello: 'Hello {{name}}' }), 'hello equals the English text'],
]

test('R-1.23 missing, extra, empty and untranslated texts are reported', async () => {
  expect(
    await collectFailures(
      BROKEN,
      ([name]) => name,
      ([, change, problem]) => expect(checkLocales(project(change)).problems.join('\n')).toContain(problem),
    ),
  ).toEqual([])
})

test('an untranslated text passes once it is listed in same-as-english.json', () => {
  const listed = { 'scripts/check/same-as-english.json': JSON.stringify({ hello: ['cs'] }) }
  expect(checkLocales(project((words) => ({ ...words, hello: 'Hello {{name}}' }), listed)).problems).toEqual([])
})

test('a plural form may omit the number', () => {
  expect(checkLocales(project((words) => ({ ...words, trackers_one: 'jeden' }))).problems).toEqual([])
})

test('a missing language file is reported', () => {
  const files = project((words) => words)
  files.delete('locales/ja/mail.json')
  expect(checkLocales(files).problems).toEqual(['locales/ja/mail.json is missing'])
})

test('an extra English file is required in every language', () => {
  const problems = checkLocales(project((words) => words, { 'locales/en/payment.json': '{"subject":"x"}' })).problems
  expect(problems).toHaveLength(LANGUAGES.length - 1)
  expect(problems[0]).toBe('locales/fr/payment.json is missing')
})

test('a key that no code uses is reported', () => {
  expect(checkLocales(project((words) => words, { 'web/a.tsx': "t('hello'); t('trackers'); t('login.title')" })).problems).toEqual([
    'locales/en/mail.json subject is used nowhere in web, server or contracts: remove it from all languages',
  ])
})

test('a key counts as used when a template string can build it', () => {
  const hole = (name: string) => `${'$'}{${name}}`
  const text = `t(\`error.${hole('code')}\`, \`${hole('a')}.${hole('b')}\`) // t("gone")`
  const isUsed = createKeyMatcher(new Map([['web/a.tsx', text]]))
  expect([isUsed('error.auth.denied'), isUsed('login.title'), isUsed('gone')]).toEqual([true, false, false])
})

test('keys of texts imported as an object count as used when read as properties', () => {
  const files = new Map([['server/a.ts', 'words.total; words.outcome[code]; words.fault.declined']])
  const isUsed = createKeyMatcher(files, true)
  expect(['total', 'outcome.paid', 'fault.declined'].every(isUsed)).toBe(true)
  expect([isUsed('fault.expired'), isUsed('subject'), createKeyMatcher(files)('total')]).toEqual([false, false, false])
})

test('Japanese needs one plural form and Czech needs four', () => {
  expect([...expectedKeys(['n_one', 'n_other'], 'ja')]).toEqual(['n_other'])
  expect([...expectedKeys(['n_one', 'n_other'], 'cs')].sort()).toEqual(['n_few', 'n_many', 'n_one', 'n_other'])
})

test('R-1.23 every language has its own plural forms, at least "other"', () => {
  const formsOf = (language: string) => [...expectedKeys(['title', 'days_one', 'days_other'], language)].sort()
  expect(formsOf('en')).toEqual(['days_one', 'days_other', 'title'])
  expect(formsOf('fr')).toEqual(['days_many', 'days_one', 'days_other', 'title'])
  expect(LANGUAGES.filter((language) => !formsOf(language).includes('days_other'))).toEqual([])
})

test('R-1.23 a key that merely ends like a plural form is not one', () => {
  expect(pluralBases(['lost_one', 'one'])).toEqual(new Set())
  expect(['days_few', 'days_fewer'].map(stripPluralForm)).toEqual(['days', 'days_fewer'])
})

test('R-1.23 nested texts are flattened to dotted keys', () => {
  expect(flattenTexts({ login: { title: 'Sign in', lead: { short: 'Hi' } }, ok: 'OK' })).toEqual([
    ['login.title', 'Sign in'],
    ['login.lead.short', 'Hi'],
    ['ok', 'OK'],
  ])
})

test('R-1.23 placeholders are listed once and without their format', () => {
  const texts = { '{{count}} of {{ total }}': 'count, total', '{{n, number}} and {{n}}': 'n', '{{- name}}': 'name', 'none { here }': '' }
  expect(Object.fromEntries(Object.keys(texts).map((text) => [text, placeholders(text)]))).toEqual(texts)
})

test('R-1.23 numbers, units and URLs do not need a translation', () => {
  expect(['Sign in', '日本語です', '{{count}} km', '±{{distance}}', 'https://example.com/imprint'].filter(hasWords)).toEqual([
    'Sign in',
    '日本語です',
  ])
})

test('R-1.23 a key counts as used in code, but not in a comment or a test', () => {
  const isUsed = (path: string, text: string, key: string) => createKeyMatcher(new Map([[path, text]]))(key)
  expect(isUsed('web/a.tsx', "t('login.heading')", 'login.heading')).toBe(true)
  expect(isUsed('web/a.tsx', "// t('login.heading')", 'login.heading')).toBe(false)
  expect(isUsed('web/a.test.tsx', "t('login.heading')", 'login.heading')).toBe(false)
})
