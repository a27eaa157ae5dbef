import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES, type Language } from '#contracts/constants.ts'
import { pickLanguage } from '#contracts/rules/language.ts'
import type en from '#locales/en/portal.json'
import { log } from './log.ts'
import { storage } from './storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

export type Words = typeof en

/** One chunk per language, loaded when it is spoken. */
const files = import.meta.glob<Words>('../../locales/*/portal.json', { import: 'default' })

const wordsOf = (language: string): Promise<Words> => {
  const load = files[`../../locales/${language}/portal.json`] ?? files['../../locales/en/portal.json']
  if (!load) throw new Error('No words')
  return load()
}

/** The language in which the interface speaks now. */
export const language = (): Language => LANGUAGES.find((known) => known === i18next.language) ?? LANGUAGES[0]

/** The person's own choice, else the browser's languages in order, else English (spec §1). */
export const preferredLanguage = () => {
  const chosen = storage.get('language')
  return pickLanguage([...(chosen ? [chosen] : []), ...navigator.languages])
}

let isEnglishAsked = false

/** English comes as a fallback only once a word turns out to be missing; until then the word is empty, never its key. */
const missing = (key: string) => {
  if (language() === 'en' || isEnglishAsked) return ''
  isEnglishAsked = true
  log.failure('A word is missing', { language: i18next.language, key })
  void wordsOf('en').then((words) => i18next.addResourceBundle('en', 'translation', words))
  return ''
}

i18next.on('languageChanged', (to) => {
  document.documentElement.lang = to
})

/** Loads the words of one language; afterwards `t` speaks. */
export async function startLanguage(lng: Language = preferredLanguage()) {
  const words = await wordsOf(lng)
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    resources: { [lng]: { translation: words } },
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: missing,
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
}

/** Speaks another language at once, without a reload, and remembers it (trap 17). */
export async function changeLanguage(to: Language) {
  i18next.addResourceBundle(to, 'translation', await wordsOf(to))
  storage.set('language', to)
  await i18next.changeLanguage(to)
}
