import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'

/** A language's own name, such as `Deutsch`, as provided by the browser. */
export const languageName = (tag: Language) => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export const isLanguage = (value: string): value is Language => LANGUAGES.some((known) => known === value)
