import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { pickLanguage } from '#contracts/rules/user.ts'
import type operator from '#locales/en/operator.json'
import type en from '#locales/en/portal.json'
import type account from '#locales/en/portal-account.json'
import type billing from '#locales/en/portal-billing.json'
import type extras from '#locales/en/portal-extras.json'
import type inside from '#locales/en/portal-inside.json'
import type places from '#locales/en/portal-places.json'
import type start from '#locales/en/portal-start.json'
import type trackers from '#locales/en/portal-trackers.json'
import { loadChunk } from '#web/lib/chunk.ts'
import { log } from '#web/lib/log.ts'
import { storage } from '#web/lib/storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Words }
  }
}

/** Translations of some screens only: `portal-<part>.json`, loaded with the screen. */
type Parts = {
  /** All signed-in screens and their layouts. */
  inside: typeof inside
  /** Parts that are loaded after the first paint: tools of a map, the list of shortcuts. */
  extras: typeof extras
  /** Adding, settings, history, sharing and theft of a tracker. */
  trackers: typeof trackers
  /** Places, alerts, contacts and tags. */
  places: typeof places
  billing: typeof billing
  /** The first steps of a new account. */
  start: typeof start
  /** Account, team and the host app. */
  account: typeof account
}
export type WordPart = keyof Parts
export type Words = typeof en &
  typeof inside &
  typeof extras &
  typeof trackers &
  typeof places &
  typeof billing &
  typeof start &
  typeof account &
  typeof operator

/** One chunk per language and part. The table is part of the entry, because a chunk for it would delay the translations by a round trip. */
const files = import.meta.glob<object>('../../../locales/*/portal*.json', { import: 'default' })

const loadBundle = (language: string, part?: WordPart) => files[`../../../locales/${language}/portal${part ? `-${part}` : ''}.json`]?.()

/** Parts requested so far and when they are there; a change of language loads each of them again. */
const parts = new Map<WordPart, Promise<void>>()

async function addBundle(language: string, part?: WordPart) {
  const words = await loadChunk(async () => loadBundle(language, part))
  if (!words) throw new Error('The translations failed to load')
  i18next.addResourceBundle(language, 'translation', words, true, true)
}

const addAllBundles = (language: string) => Promise.all([undefined, ...parts.keys()].map((part) => addBundle(language, part)))

/** Loads the translations of a screen, beyond those of the shell. Two that need the same part wait for one request. */
export async function loadWords(wanted: readonly WordPart[] = []) {
  await Promise.all(wanted.map((part) => parts.get(part) ?? loadPart(part)))
}

function loadPart(part: WordPart) {
  const loading = addBundle(i18next.language, part).catch((error: unknown) => {
    parts.delete(part)
    throw error
  })
  parts.set(part, loading)
  return loading
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
  // A screen may have loaded its part for the former language while this one was being loaded.
  addAllBundles(to).catch(() => undefined)
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
