import { LANGUAGES } from '#contracts/lib/languages.ts'
import { blankComments, type Files, isSource, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'

/** Flattens nested locale objects: `{ login: { title: 'Sign in' } }` -> `login.title`. */
export const flattenTexts = (value: unknown, prefix = ''): [key: string, text: string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => flattenTexts(inner, prefix === '' ? key : `${prefix}.${key}`))
    : [[prefix, String(value)]]

export const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*-?\s*(\w+)[^}]*\}\}/g)].map((match) => match[1]))].sort().join(', ')

export const hasWords = (text: string) => /\p{L}{3}/u.test(text.replace(/\{\{[^}]*\}\}|<[^>]*>|https?:\S+|\S+@\S+/g, ''))

const PLURAL_FORM = /_(zero|one|two|few|many|other)$/

/** `trackers_other` -> `trackers`: the key without its plural form. */
export const stripPluralForm = (key: string) => key.replace(PLURAL_FORM, '')

export const pluralBases = (english: string[]) => new Set(english.filter((key) => key.endsWith('_other')).map(stripPluralForm))

/** The keys a language must have: the English ones, with the plural forms of that language. */
export const expectedKeys = (english: string[], language: string) => {
  const counted = pluralBases(english)
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const plain = english.filter((key) => !counted.has(stripPluralForm(key)))
  return new Set([...plain, ...[...counted].flatMap((base) => forms.map((form) => `${base}_${form}`))])
}

const QUOTED_TEXT = /(['"`])([\w.-]+)\1/g
/** A template string that could build a key: key characters and at least one `${…}`. */
const TEMPLATE_TEXT = /`((?:[\w.-]|\$\{[^{}`]*\})*\$\{[^{}`]*\}(?:[\w.-]|\$\{[^{}`]*\})*)`/g

const escapePattern = (text: string) => text.replace(/[.-]/g, '\\$&')

/** `error.${code}` -> /^error\..+$/. A template without a fixed part of three letters would match every key and is ignored. */
const patternsFrom = (template: string) => {
  const fixed = template.split(/\$\{[^}]*\}/)
  return fixed.join('').replace(/\W/g, '').length < 3 ? [] : [new RegExp(`^${fixed.map(escapePattern).join('.+')}$`)]
}

/** Whether a key of a texts file imported as an object is read: `words.total` or `words.outcome[code]`. */
const isReadAsProperty = (texts: string[], key: string) => {
  const chain = `.${key}`
  const indexed = `${chain.slice(0, chain.lastIndexOf('.'))}[`
  return texts.some((text) => new RegExp(`${escapePattern(chain)}\\b`).test(text) || (indexed !== '[' && text.includes(indexed)))
}

/**
 * Returns a function that tells whether the product uses a locale key: written as a string, built by a template string or, for texts
 * imported as an object (all but the portal's), read as a property.
 */
export const createKeyMatcher = (files: Files, isObject = false) => {
  const texts = selectFiles(files, (path) => isSource(path) && /^(web|server|contracts)\//.test(path)).map(([, text]) =>
    blankComments(text),
  )
  const written = new Set(texts.flatMap((text) => [...text.matchAll(QUOTED_TEXT)].map((match) => match[2] ?? '')))
  const made = texts.flatMap((text) => [...text.matchAll(TEMPLATE_TEXT)].flatMap((match) => patternsFrom(match[1] ?? '')))
  return (key: string) => written.has(key) || made.some((pattern) => pattern.test(key)) || (isObject && isReadAsProperty(texts, key))
}

/** Files every language must have; any other file is required once English has it. */
const REQUIRED_FILES = ['portal', 'mail']

/** Key -> languages whose text may equal the English one, or `*` for all. */
type SameAsEnglish = Record<string, string[] | '*'>
type Words = Map<string, string>

const fileNames = (files: Files) => [
  ...new Set([...REQUIRED_FILES, ...[...files.keys()].flatMap((path) => path.match(/^locales\/en\/([\w-]+)\.json$/)?.[1] ?? [])]),
]

const readWords = (files: Files, path: string): Words | undefined => {
  const text = files.get(path)
  return text === undefined ? undefined : new Map(flattenTexts(JSON.parse(text)))
}

const keyProblems = (path: string, language: string, english: Words, words: Words) => {
  const expected = expectedKeys([...english.keys()], language)
  return [
    ...[...expected].filter((key) => !words.has(key)).map((key) => `${path} lacks ${key}`),
    ...[...words.keys()]
      .filter((key) => !expected.has(key))
      .map((key) => `${path} has ${key}, which neither English nor the plural rules of ${language} have`),
  ]
}

/** A plural form may omit the number ("one tracker") but must not name a placeholder that English lacks. */
const placeholderProblems = (path: string, english: Words, words: Words) => {
  const counted = pluralBases([...english.keys()])
  return [...words].flatMap(([key, text]) => {
    const base = stripPluralForm(key)
    const model = english.get(counted.has(base) ? `${base}_other` : key) ?? ''
    const here = placeholders(counted.has(base) && !text.includes('{{count}}') ? `${text}{{count}}` : text)
    const wanted = placeholders(counted.has(base) && !model.includes('{{count}}') ? `${model}{{count}}` : model)
    return here === wanted ? [] : [`${path} ${key} has the placeholders (${placeholders(text)}), English has (${placeholders(model)})`]
  })
}

const emptyProblems = (path: string, words: Words) =>
  [...words].filter(([, text]) => text.trim() === '').map(([key]) => `${path} ${key} is empty`)

const isAllowedToMatch = (same: SameAsEnglish, key: string, language: string) => same[key] === '*' || same[key]?.includes(language) === true

const sameProblems = (path: string, language: string, english: Words, words: Words, same: SameAsEnglish) =>
  [...words]
    .filter(
      ([key, text]) =>
        english.get(key) === text &&
        hasWords(text) &&
        !isAllowedToMatch(same, stripPluralForm(key), language) &&
        !isAllowedToMatch(same, key, language),
    )
    .map(
      ([key, text]) => `${path} ${key} equals the English text ("${text}"): translate it, or list it in scripts/check/same-as-english.json`,
    )

const languageProblems = (files: Files, name: string, language: string, english: Words, same: SameAsEnglish) => {
  const path = `locales/${language}/${name}.json`
  const words = readWords(files, path)
  if (!words) return [`${path} is missing`]
  return [
    ...keyProblems(path, language, english, words),
    ...placeholderProblems(path, english, words),
    ...emptyProblems(path, words),
    ...(language === 'en' ? [] : sameProblems(path, language, english, words, same)),
  ]
}

/** Checks that every language has all English keys in its own words and plural forms, and that no key is unused. */
export const checkLocales = (files: Files): Finding => {
  const same: SameAsEnglish = JSON.parse(files.get('scripts/check/same-as-english.json') ?? '{}')
  const problems = fileNames(files).flatMap((name) => {
    const english = readWords(files, `locales/en/${name}.json`)
    if (!english) return [`locales/en/${name}.json is missing`]
    const isUsed = createKeyMatcher(files, !name.startsWith('portal'))
    const unused = [...new Set([...english.keys()].map(stripPluralForm))].filter((base) => !isUsed(base))
    return [
      ...LANGUAGES.flatMap((language) => languageProblems(files, name, language, english, same)),
      ...unused.map((key) => `locales/en/${name}.json ${key} is used nowhere in web, server or contracts: remove it from all languages`),
    ]
  })
  return { fileCount: [...files.keys()].filter((path) => /^locales\/\w+\/[\w-]+\.json$/.test(path)).length, problems }
}
