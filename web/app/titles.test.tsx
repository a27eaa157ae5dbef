import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { changeLanguage } from '#web/lib/i18n/i18n.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { routes } from './routes.tsx'

const ALICE = 'alice@example.com'
const wordsOf = async (language: Language) => (await import(`../../locales/${language}/portal.json`)).default

describe('R-2.2 document title', () => {
  test.each(['en', 'fr', 'ja'] as const)('in %s every route has a translated label', async (language) => {
    const { title } = await wordsOf(language)
    const labels = routes.map(({ name }) => title[name])
    for (const [index, label] of labels.entries()) {
      expect(label).toMatch(/\p{L}/u)
      expect(label).not.toBe(`title.${routes[index]?.name}`)
    }
  })

  test.each(LANGUAGES)('in %s navigation and document title call a page the same', async (language) => {
    const { title } = await wordsOf(language)
    const { nav } = (await import(`../../locales/${language}/portal-inside.json`)).default
    const plain = (word: string) => word.replace('\u00ad', '')
    const same = { index: 'map', trackers: 'trackers', places: 'places', alerts: 'alerts', contacts: 'contacts', tags: 'tags' }
    const more = { publicLinks: 'links', subscriptionSelector: 'plans', administrationUsers: 'team', orders: 'orders' }
    const rest = { invoices: 'invoices', paymentMethods: 'cards', contactUs: 'help' }
    const pages = Object.entries({ ...same, ...more, ...rest })
    expect(pages.map(([page]) => title[page])).toEqual(pages.map(([, word]) => plain(nav[word])))
  })

  test('R-1.26 the title changes with each navigation', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/trackers', { portal, as: ALICE })
    await waitFor(() => expect(document.title).toBe('Whereabouts - Trackers'))
    await user.click(await screen.findByRole('link', { name: 'Map' }))
    await waitFor(() => expect(document.title).toBe('Whereabouts - Map'))
    await user.click(screen.getByRole('link', { name: 'Trackers' }))
    await waitFor(() => expect(document.title).toBe('Whereabouts - Trackers'))
  })

  test.each(['fr', 'de', 'fi', 'ja'] as const)('R-1.26 the title switches to %s with the language, without a reload', async (language) => {
    await renderAt('/nope')
    await waitFor(() => expect(document.title).toBe('Whereabouts - Page not found'))
    await act(() => changeLanguage(language))
    const { title } = await wordsOf(language)
    await waitFor(() => expect(document.title).toBe(`Whereabouts - ${title.notFound}`))
    expect(document.documentElement.lang).toBe(language)
  })

  test('the title starts with the product name of the configuration', async () => {
    await renderAt('/login', { config: { productName: 'Fleet & Co.' } })
    await waitFor(() => expect(document.title).toBe('Fleet & Co. - Login'))
    expect(screen.getByText('Fleet & Co.')).toBeVisible()
  })

  test('the title starts with a default product name when the configuration has none', async () => {
    await renderAt('/login', { config: { productName: undefined } })
    await waitFor(() => expect(document.title).toBe('Tracker Portal - Login'))
  })

  test('a screen that failed to load keeps its title', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    await renderAt('/trackers', { token: 'abc' })
    await screen.findByRole('alert')
    expect(document.title).toBe('Whereabouts - Trackers')
    logged.mockRestore()
  })
})

describe('R-1.24 language of the browser', () => {
  test.each([
    [['fr-CA', 'en'], 'fr'],
    [['pt-BR'], 'pt'],
    [['zh', 'de-AT'], 'de'],
    [['zh-CN'], 'en'],
    [[], 'en'],
  ])('browser languages %j open the portal in %s', async (languages, expected) => {
    await renderAt('/login', { languages })
    const { login } = await wordsOf(expected as Language)
    expect(await screen.findByRole('heading', { name: login.heading })).toBeVisible()
    expect(document.documentElement.lang).toBe(expected)
  })

  test("a language chosen earlier overrides the browser's", async () => {
    localStorage.setItem('language', 'fr')
    await renderAt('/login', { languages: ['de'] })
    expect(await screen.findByRole('combobox', { name: 'Langue' })).toHaveValue('fr')
  })

  test('a stored language that is no longer offered is ignored', async () => {
    localStorage.setItem('language', 'tlh')
    await renderAt('/login', { languages: ['en-GB'] })
    expect(await screen.findByRole('combobox', { name: 'Language' })).toHaveValue('en')
  })
})
