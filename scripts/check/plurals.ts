const CATEGORY = /_(zero|one|two|few|many|other)$/

/** `trackers_other` -> `trackers`: the key without its plural form. */
export const baseOf = (key: string) => key.replace(CATEGORY, '')

export const countedKeys = (english: string[]) => new Set(english.filter((key) => key.endsWith('_other')).map(baseOf))

/** The keys a language must have: the English ones, with the plural forms of that language. */
export const expectedKeys = (english: string[], language: string) => {
  const counted = countedKeys(english)
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const plain = english.filter((key) => !counted.has(baseOf(key)))
  return new Set([...plain, ...[...counted].flatMap((base) => forms.map((form) => `${base}_${form}`))])
}
