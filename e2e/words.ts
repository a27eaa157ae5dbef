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

/** All that the portal says in a language. */
function wordsIn(language: string): Words {
  const words =
    spoken.get(language) ??
    filesOf(language).reduce<Words>((all, name) => merged(all, JSON.parse(readFileSync(`locales/${language}/${name}`, 'utf8'))), {})
  spoken.set(language, words)
  return words
}

/** Every key of a word, as it must never be seen. */
export function keysIn(language: string) {
  const below = (words: Words, path: string): string[] =>
    Object.entries(words).flatMap(([key, word]) => (typeof word === 'string' ? [path + key] : below(word, `${path}${key}.`)))
  return below(wordsIn(language), '')
}

/** What is written on a button, by its key; so that a screen is used in any language. */
export function sayIn(language: string) {
  return (key: string) => {
    const word = key
      .split('.')
      .reduce<string | Words | undefined>((at, part) => (typeof at === 'object' ? at[part] : at), wordsIn(language))
    if (typeof word !== 'string') throw new Error(`There is no word ${key} in ${language}`)
    return word
  }
}
