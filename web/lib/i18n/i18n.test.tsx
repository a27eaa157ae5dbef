import { screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import fi from '#locales/fi/portal-trackers.json' with { type: 'json' }
import pt from '#locales/pt/portal-places.json' with { type: 'json' }
import sv from '#locales/sv/portal-trackers.json' with { type: 'json' }
import { collectFailures } from '#server/test/collect-failures.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { changeLanguage, loadWords, preferredLanguage, startLanguage } from './i18n.ts'

const browserSpeaks = (...languages: string[]) => Object.defineProperty(navigator, 'languages', { value: languages, configurable: true })

test('R-1.24 R-1.25 the portal uses the first supported language of the browser', async () => {
  expect(
    await collectFailures(
      [
        [['fr-CA'], 'fr'],
        [['pt-BR'], 'pt'],
        [['zh', 'de-AT'], 'de'],
        [['zh-CN'], 'en'],
      ] as const,
      JSON.stringify,
      ([languages, expected]) => {
        browserSpeaks(...languages)
        expect(preferredLanguage()).toBe(expected)
      },
    ),
  ).toEqual([])
})

test("a chosen language overrides the browser's", () => {
  browserSpeaks('fr')
  storage.set('language', 'ja')
  expect(preferredLanguage()).toBe('ja')
})

test('R-1.26 title and lang attribute change with the language, without a reload', async () => {
  await renderAt('/login', { languages: ['en-GB'] })
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(document.title).toBe('Whereabouts - Login')
  await changeLanguage('de')
  await waitFor(() => expect(document.documentElement.lang).toBe('de'))
  i18next.addResource('de', 'translation', 'title.login', 'Anmelden')
  await waitFor(() => expect(document.title).toMatch(/^Whereabouts - \p{L}+/u))
  expect(storage.get('language')).toBe('de')
})

test('R-1.26 a language chosen in another tab applies here, and any other stored value is ignored', async () => {
  await renderAt('/login', { languages: ['en-GB'] })
  const tell = (key: string, newValue: string | null) => dispatchEvent(new StorageEvent('storage', { key, newValue }))
  const spoken: string[] = []
  const hear = (language: string) => spoken.push(language)
  i18next.on('languageChanged', hear)
  storage.set('language', 'fr')
  tell('language', 'fr')
  await waitFor(() => expect(document.documentElement.lang).toBe('fr'))
  expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
  for (const [key, value] of [
    ['language', 'xx'],
    ['language', null],
    ['theme', 'de'],
  ] as const)
    tell(key, value)
  storage.set('language', 'fi')
  tell('language', 'sv') // outdated: another language was chosen in the meantime
  tell('language', 'fi')
  await waitFor(() => expect(document.documentElement.lang).toBe('fi'))
  expect(spoken).toEqual(['fr', 'fi'])
  i18next.off('languageChanged', hear)
})

test('R-1.25 a missing translation falls back to English, never to its key', async () => {
  await renderAt('/login', { languages: ['cs'] })
  await screen.findByRole('main')
  i18next.removeResourceBundle('cs', 'translation')
  i18next.removeResourceBundle('en', 'translation')
  i18next.addResourceBundle('cs', 'translation', {})
  expect(i18next.t('login.heading')).toBe('')
  await waitFor(() => expect(i18next.t('login.heading')).toBe('Sign in'))
})

test('translations of a screen are loaded for the current language and for each later one', async () => {
  await startLanguage('fi')
  await loadWords(['trackers'])
  expect(i18next.t('history.noAddress')).toBe(fi.history.noAddress)
  await changeLanguage('sv')
  expect(i18next.t('history.noAddress')).toBe(sv.history.noAddress)
})

test('a screen waits for words that another screen is already loading', async () => {
  await startLanguage('pt')
  const first = loadWords(['places'])
  await loadWords(['places'])
  expect(i18next.t('places.lead')).toBe(pt.places.lead)
  await first
})

test('translations of a screen opened during a change of language arrive in the new language too', async () => {
  await startLanguage('nl')
  const changed = changeLanguage('cs')
  await Promise.all([changed, loadWords(['account'])])
  await waitFor(() => expect(i18next.exists('account.page.languageHint', { lng: 'cs', fallbackLng: [] })).toBe(true))
})
