import { LANGUAGES, type Language } from '#contracts/lib/constants.ts'

/** `Deutsch`: each language by its own name, which the browser knows. */
export const languageName = (tag: Language) => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export const isLanguage = (value: string): value is Language => LANGUAGES.some((known) => known === value)
