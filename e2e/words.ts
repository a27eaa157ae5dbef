import { readdirSync, readFileSync } from 'node:fs'

type Words = { [key: string]: string | Words }

const filesOf = (language: string) => readdirSync(`locales/${language}`).filter((name) => name.startsWith('portal'))

const merged = (into: Words, from: Words): Words => {
  for (const [key, value] of Object.entries(from)) {
    const known = into[key]
    into[key] = typeof value === 'object' && typeof known === 'object' ? merged(known, value) : value
  }
  return into
}

const spoken = new Map<string, Words>()

/** All texts of the portal in a language. */
function wordsIn(language: string): Words {
  const words =
    spoken.get(language) ??
    filesOf(language).reduce<Words>((all, name) => merged(all, JSON.parse(readFileSync(`locales/${language}/${name}`, 'utf8'))), {})
  spoken.set(language, words)
  return words
}

/** Every translation key; none may ever appear on a screen. */
export function keysIn(language: string) {
  const below = (words: Words, path: string): string[] =>
    Object.entries(words).flatMap(([key, word]) => (typeof word === 'string' ? [path + key] : below(word, `${path}${key}.`)))
  return below(wordsIn(language), '')
}

/** Looks up a text by its key, so that a screen can be operated in any language. */
export function sayIn(language: string) {
  return (key: string) => {
    const word = key
      .split('.')
      .reduce<string | Words | undefined>((at, part) => (typeof at === 'object' ? at[part] : at), wordsIn(language))
    if (typeof word !== 'string') throw new Error(`The locale ${language} has no text ${key}`)
    return word
  }
}
