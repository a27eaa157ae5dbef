import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES, type Language } from '#contracts/lib/constants.ts'
import { pickLanguage } from '#contracts/rules/user.ts'
import type en from '#locales/en/portal.json'
import type account from '#locales/en/portal-account.json'
import type add from '#locales/en/portal-add.json'
import type alerts from '#locales/en/portal-alerts.json'
import type app from '#locales/en/portal-app.json'
import type helium from '#locales/en/portal-helium.json'
import type history from '#locales/en/portal-history.json'
import type inside from '#locales/en/portal-inside.json'
import type links from '#locales/en/portal-links.json'
import type map from '#locales/en/portal-map.json'
import type phones from '#locales/en/portal-phones.json'
import type places from '#locales/en/portal-places.json'
import type purchases from '#locales/en/portal-purchases.json'
import type settings from '#locales/en/portal-settings.json'
import type shell from '#locales/en/portal-shell.json'
import type shortcuts from '#locales/en/portal-shortcuts.json'
import type subscriptions from '#locales/en/portal-subscriptions.json'
import type tags from '#locales/en/portal-tags.json'
import type team from '#locales/en/portal-team.json'
import type theft from '#locales/en/portal-theft.json'
import { log } from '#web/lib/log.ts'
import { storage } from '#web/lib/storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Words }
  }
}

/** Translations of some screens only: `portal-<part>.json`, loaded with the screen. */
type Parts = {
  /** Shared by all signed-in screens. */
  inside: typeof inside
  shell: typeof shell
  tags: typeof tags
  alerts: typeof alerts
  account: typeof account
  add: typeof add
  app: typeof app
  helium: typeof helium
  history: typeof history
  links: typeof links
  /** Loaded after a map has been drawn. */
  map: typeof map
  phones: typeof phones
  places: typeof places
  purchases: typeof purchases
  settings: typeof settings
  shortcuts: typeof shortcuts
  subscriptions: typeof subscriptions
  theft: typeof theft
  team: typeof team
}
export type WordPart = keyof Parts
export type Words = typeof en &
  typeof inside &
  typeof shell &
  typeof tags &
  typeof alerts &
  typeof account &
  typeof add &
  typeof app &
  typeof helium &
  typeof history &
  typeof links &
  typeof map &
  typeof phones &
  typeof places &
  typeof purchases &
  typeof settings &
  typeof shortcuts &
  typeof subscriptions &
  typeof theft &
  typeof team

/** One chunk per language, loaded when the language is used. */
const files = import.meta.glob<object>('../../../locales/*/portal.json', { import: 'default' })

const loadShell = (language: string) => files[`../../../locales/${language}/portal.json`]?.()

/** The table of all parts in all languages is large, and the login page needs none of it. */
const loadPart = async (language: string, part: WordPart) => (await import('./word-parts.ts')).loadPart(language, part)

const loadBundle = (language: string, part?: WordPart) => (part ? loadPart(language, part) : loadShell(language))

/** Parts requested so far; each is also loaded when the language changes. */
const parts = new Set<WordPart>()

async function addBundle(language: string, part?: WordPart) {
  const words = await loadBundle(language, part)
  if (!words) throw new Error('The translations failed to load')
  i18next.addResourceBundle(language, 'translation', words, true, true)
}

const addAllBundles = (language: string) => Promise.all([undefined, ...parts].map((part) => addBundle(language, part)))

/** Loads the translations of a screen, beyond those of the shell. */
export async function loadWords(wanted: readonly WordPart[] = []) {
  const added = wanted.filter((part) => !parts.has(part))
  for (const part of added) parts.add(part)
  try {
    await Promise.all(added.map((part) => addBundle(i18next.language, part)))
  } catch (error) {
    for (const part of added) parts.delete(part)
    throw error
  }
}

export const currentLanguage = (): Language => LANGUAGES.find((known) => known === i18next.language) ?? LANGUAGES[0]

/** The user's choice, else the first supported language of the browser, else English. */
export const preferredLanguage = () => {
  const chosen = storage.get('language')
  return pickLanguage([...(chosen ? [chosen] : []), ...navigator.languages])
}

let isEnglishRequested = false

/** English is loaded only when a translation turns out to be missing; until then the text is empty rather than its key. */
const handleMissingKey = (key: string) => {
  if (currentLanguage() === 'en' || isEnglishRequested) return ''
  isEnglishRequested = true
  log.failure('A translation is missing', { language: i18next.language, key })
  void addAllBundles('en')
  return ''
}

i18next.on('languageChanged', (to) => {
  document.documentElement.lang = to
})

export async function startLanguage(lng: Language = preferredLanguage()) {
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    resources: {},
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: handleMissingKey,
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  await addAllBundles(lng)
  addEventListener('storage', followOtherTabs)
}

export async function changeLanguage(to: Language) {
  await addAllBundles(to)
  storage.set('language', to)
  await i18next.changeLanguage(to)
}

/** Applies a language chosen in another tab, unless another one was chosen while its translations were loading. */
async function followOtherTabs({ key, newValue }: StorageEvent) {
  const chosen = key === 'language' && LANGUAGES.find((known) => known === newValue)
  if (!chosen) return
  await addAllBundles(chosen)
  if (storage.get('language') === chosen) await i18next.changeLanguage(chosen)
}
