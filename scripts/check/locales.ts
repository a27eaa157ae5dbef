import type { Files, Finding } from './finding.ts'
import { baseOf, countedKeys, expectedKeys } from './plurals.ts'
import { keyUse } from './used-keys.ts'
import { flatten, hasWords, placeholders } from './words.ts'

const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'sv', 'fi', 'hu', 'cs', 'ja']
/** Files every language must have; any other file is required once English has it. */
const REQUIRED = ['portal', 'mail']

/** Key -> languages whose text may equal the English one, or `*` for all. */
type SameAsEnglish = Record<string, string[] | '*'>
type Words = Map<string, string>

const namesIn = (files: Files) => [
  ...new Set([...REQUIRED, ...[...files.keys()].flatMap((path) => path.match(/^locales\/en\/([\w-]+)\.json$/)?.[1] ?? [])]),
]

const read = (files: Files, path: string): Words | undefined => {
  const text = files.get(path)
  return text === undefined ? undefined : new Map(flatten(JSON.parse(text)))
}

const keyProblems = (path: string, language: string, english: Words, words: Words) => {
  const expected = expectedKeys([...english.keys()], language)
  return [
    ...[...expected].filter((key) => !words.has(key)).map((key) => `${path} lacks ${key}`),
    ...[...words.keys()]
      .filter((key) => !expected.has(key))
      .map((key) => `${path} has ${key}, which English or the plural rules of ${language} do not`),
  ]
}

/** A plural form may omit the number ("one tracker") but must not name a placeholder that English lacks. */
const placeholderProblems = (path: string, english: Words, words: Words) => {
  const counted = countedKeys([...english.keys()])
  return [...words].flatMap(([key, text]) => {
    const base = baseOf(key)
    const model = english.get(counted.has(base) ? `${base}_other` : key) ?? ''
    const here = placeholders(counted.has(base) && !text.includes('{{count}}') ? `${text}{{count}}` : text)
    const wanted = placeholders(counted.has(base) && !model.includes('{{count}}') ? `${model}{{count}}` : model)
    return here === wanted ? [] : [`${path} ${key} has the placeholders (${placeholders(text)}), English has (${placeholders(model)})`]
  })
}

const emptyProblems = (path: string, words: Words) =>
  [...words].filter(([, text]) => text.trim() === '').map(([key]) => `${path} ${key} is empty`)

const isAllowed = (same: SameAsEnglish, key: string, language: string) => same[key] === '*' || same[key]?.includes(language) === true

const sameProblems = (path: string, language: string, english: Words, words: Words, same: SameAsEnglish) =>
  [...words]
    .filter(
      ([key, text]) =>
        english.get(key) === text && hasWords(text) && !isAllowed(same, baseOf(key), language) && !isAllowed(same, key, language),
    )
    .map(
      ([key, text]) => `${path} ${key} says what English says ("${text}"): translate it, or list it in scripts/check/same-as-english.json`,
    )

const languageProblems = (files: Files, name: string, language: string, english: Words, same: SameAsEnglish) => {
  const path = `locales/${language}/${name}.json`
  const words = read(files, path)
  if (!words) return [`${path} is missing`]
  return [
    ...keyProblems(path, language, english, words),
    ...placeholderProblems(path, english, words),
    ...emptyProblems(path, words),
    ...(language === 'en' ? [] : sameProblems(path, language, english, words, same)),
  ]
}

/** Checks that every language has all English keys in its own words and plural forms, and that no key is unused. */
export const locales = (files: Files): Finding => {
  const same: SameAsEnglish = JSON.parse(files.get('scripts/check/same-as-english.json') ?? '{}')
  const problems = namesIn(files).flatMap((name) => {
    const english = read(files, `locales/en/${name}.json`)
    if (!english) return [`locales/en/${name}.json is missing`]
    const isUsed = keyUse(files, !name.startsWith('portal'))
    const unused = [...new Set([...english.keys()].map(baseOf))].filter((base) => !isUsed(base))
    return [
      ...LANGUAGES.flatMap((language) => languageProblems(files, name, language, english, same)),
      ...unused.map(
        (key) => `locales/en/${name}.json ${key} is asked for nowhere in web, server or contracts: remove it from all languages`,
      ),
    ]
  })
  return { looked: [...files.keys()].filter((path) => /^locales\/\w+\/[\w-]+\.json$/.test(path)).length, problems }
}
