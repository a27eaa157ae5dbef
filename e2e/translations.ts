import { readdirSync, readFileSync } from 'node:fs'

type Words = { [key: string]: string | Words }

const listFiles = (language: string) => readdirSync(`locales/${language}`).filter((name) => /^(portal|operator)/.test(name))

const mergeWords = (into: Words, from: Words): Words => {
  for (const [key, value] of Object.entries(from)) {
    const known = into[key]
    into[key] = typeof value === 'object' && typeof known === 'object' ? mergeWords(known, value) : value
  }
  return into
}

const wordsByLanguage = new Map<string, Words>()

/** All texts of the portal in a language. */
function loadWords(language: string): Words {
  const words =
    wordsByLanguage.get(language) ??
    listFiles(language).reduce<Words>((all, name) => mergeWords(all, JSON.parse(readFileSync(`locales/${language}/${name}`, 'utf8'))), {})
  wordsByLanguage.set(language, words)
  return words
}

/** Every translation key; none may ever appear on a screen. */
export function listKeys(language: string) {
  const below = (words: Words, path: string): string[] =>
    Object.entries(words).flatMap(([key, word]) => (typeof word === 'string' ? [path + key] : below(word, `${path}${key}.`)))
  return new Set(below(loadWords(language), ''))
}

/** Looks up a text by its key, so that a screen can be operated in any language. */
export function createTranslate(language: string) {
  return (key: string) => {
    const word = key
      .split('.')
      .reduce<string | Words | undefined>((at, part) => (typeof at === 'object' ? at[part] : at), loadWords(language))
    if (typeof word !== 'string') throw new Error(`The locale ${language} has no text ${key}`)
    return word
  }
}
