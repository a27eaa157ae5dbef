import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/constants.ts'
import { locales } from './locales.ts'
import { expectedKeys } from './plurals.ts'
import { keyUse } from './used-keys.ts'

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
  expect(locales(project((words) => words))).toEqual({ looked: 24, problems: [] })
})

test.each<[string, (words: Words) => Words, string]>([
  ['a missing key', without('hello'), 'lacks hello'],
  ['a missing plural form', without('trackers_few'), 'lacks trackers_few'],
  ['a plural form the language does not have', (words) => ({ ...words, trackers_two: 'x {{count}}' }), 'has trackers_two'],
  ['a key English does not have', (words) => ({ ...words, more: 'x' }), 'has more'],
  ['another placeholder', (words) => ({ ...words, hello: 'ahoj {{nome}}' }), 'cs/portal.json hello has the placeholders (nome)'],
  ['an empty text', (words) => ({ ...words, hello: ' ' }), 'hello is empty'],
  ['an untranslated text', (words) => ({ ...words, hello: 'Hello {{name}}' }), 'hello says what English says'],
])('finds %s', (_, change, why) => {
  expect(locales(project(change)).problems.join('\n')).toContain(why)
})

test('an untranslated text passes once it is listed in same-as-english.json', () => {
  const listed = { 'scripts/check/same-as-english.json': JSON.stringify({ hello: ['cs'] }) }
  expect(locales(project((words) => ({ ...words, hello: 'Hello {{name}}' }), listed)).problems).toEqual([])
})

test('a plural form may omit the number', () => {
  expect(locales(project((words) => ({ ...words, trackers_one: 'jeden' }))).problems).toEqual([])
})

test('a missing language file is reported', () => {
  const files = project((words) => words)
  files.delete('locales/ja/mail.json')
  expect(locales(files).problems).toEqual(['locales/ja/mail.json is missing'])
})

test('an extra English file is required in every language', () => {
  const problems = locales(project((words) => words, { 'locales/en/payment.json': '{"subject":"x"}' })).problems
  expect(problems).toHaveLength(LANGUAGES.length - 1)
  expect(problems[0]).toBe('locales/fr/payment.json is missing')
})

test('a key that no code uses is reported', () => {
  expect(locales(project((words) => words, { 'web/a.tsx': "t('hello'); t('trackers'); t('login.title')" })).problems).toEqual([
    'locales/en/mail.json subject is asked for nowhere in web, server or contracts: remove it from all languages',
  ])
})

test('a key counts as used when a template string can build it', () => {
  const hole = (name: string) => `${'$'}{${name}}`
  const text = `t(\`error.${hole('code')}\`, \`${hole('a')}.${hole('b')}\`) // t("gone")`
  const isUsed = keyUse(new Map([['web/a.tsx', text]]))
  expect([isUsed('error.auth.denied'), isUsed('login.title'), isUsed('gone')]).toEqual([true, false, false])
})

test('keys of texts imported as an object count as used when read as properties', () => {
  const files = new Map([['server/a.ts', 'words.total; words.outcome[code]; words.fault.declined']])
  const isUsed = keyUse(files, true)
  expect(['total', 'outcome.paid', 'fault.declined'].every(isUsed)).toBe(true)
  expect([isUsed('fault.expired'), isUsed('subject'), keyUse(files)('total')]).toEqual([false, false, false])
})

test('Japanese needs one plural form and Czech needs four', () => {
  expect([...expectedKeys(['n_one', 'n_other'], 'ja')]).toEqual(['n_other'])
  expect([...expectedKeys(['n_one', 'n_other'], 'cs')].sort()).toEqual(['n_few', 'n_many', 'n_one', 'n_other'])
})
