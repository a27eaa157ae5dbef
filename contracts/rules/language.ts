import { LANGUAGES, type Language } from '#contracts/lib/constants.ts'

/** Returns the first of the browser's languages that the portal supports, ignoring regions; English otherwise. */
export const pickLanguage = (navigatorLanguages: readonly string[]): Language => {
  for (const tag of navigatorLanguages) {
    const primary = tag.split(/[-_]/)[0]?.toLowerCase()
    const language = LANGUAGES.find((known) => known === primary)
    if (language) return language
  }
  return LANGUAGES[0]
}
