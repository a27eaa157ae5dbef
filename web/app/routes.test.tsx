import { existsSync } from 'node:fs'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import en from '#locales/en/portal.json' with { type: 'json' }
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { routes } from './routes.tsx'

const screens = routes.filter((row) => 'screen' in row)
const spoken = LANGUAGES.filter((language) => existsSync(`locales/${language}/portal.json`))
/** Each screen in one language, rotating through all of them. The browser tests open every screen in every language. */
const cases = screens.map((row, index) => ({ name: row.name, language: spoken[index % spoken.length] ?? 'en', row }))

function reset() {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
}

test('the route table has screens, and English is among the languages', () => {
  expect(screens.length).toBeGreaterThanOrEqual(9)
  expect(spoken).toContain('en')
})

test('R-2.2 R-1.26 R-2.54 every screen opens under its own title', async () => {
  await using portal = await startPortal()
  const alices = await portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
  const rex = alices.body.find(({ name }: { name: string }) => name === 'Rex')
  const failures = await collectFailures(
    cases,
    ({ row, language }) => `${row.name} in ${language}`,
    async ({ row, language }) => {
      reset()
      const path = row.path.replace(':id', String(rex.id)).replace('*', '/no/such/page')
      if (row.name === 'main') storage.set('nativeApp', 'true')
      const as = row.may === 'manageTeam' ? 'admin@pro.example.com' : 'alice@example.com'
      await renderAt(path, {
        portal,
        as,
        languages: [language],
        config: { features: [...FEATURES], demo: { password: 'Demo-1234', accounts: [] } },
      })
      const words: typeof en = (await import(`../../locales/${language}/portal.json`)).default
      await waitFor(() => expect(document.title).toBe(`Whereabouts - ${words.title[row.name]}`))
      expect(document.documentElement.lang).toBe(language)
      expect(storage.get('lastVisitedRoute')).toBe(row.name)
      expect(await screen.findByRole('main')).toBeVisible()
      await waitFor(() => expect(screen.getByRole('main')).not.toBeEmptyDOMElement())
      if (row.name !== 'error') expect(screen.queryByText(words.error.server)).toBeNull()
    },
  )
  expect(failures).toEqual([])
})

test('routes of the same name, and so of the same title, show the same screen', () => {
  const names = new Set(screens.map(({ name }) => name))
  const failures = [...names].filter((name) => new Set(screens.filter((row) => row.name === name).map(({ screen }) => screen)).size > 1)
  expect(failures).toEqual([])
})

test('R-2.3 a signed-out visitor to any signed-in screen is sent to the login page', async () => {
  const failures = await collectFailures(
    screens.filter(({ access }) => access === 'session'),
    ({ name }) => name,
    async ({ path }) => {
      reset()
      await renderAt(path.replace(':id', '1'))
      expect(await screen.findByRole('heading', { name: en.login.heading })).toBeVisible()
      expect(window.location.pathname).toBe('/login')
    },
  )
  expect(failures).toEqual([])
})

test('R-7.27 a token that the server rejects is removed, and the login page leads back', async () => {
  await using portal = await startPortal()
  await renderAt('/trackers', { portal, token: '0'.repeat(40) })
  expect(await screen.findByRole('heading', { name: en.login.heading })).toBeVisible()
  expect(window.location.search).toBe('?next=%2Ftrackers')
  expect(storage.get('token')).toBeNull()
})

test("opening a public link does not touch the visitor's own session", async () => {
  await using portal = await startPortal()
  await renderAt('/pub/trackers?token=00000000-0000-4000-8000-0000000000ff', { portal, token: 'mine' })
  await waitFor(() => expect(document.title).toBe(`Whereabouts - ${en.title.pubTrackers}`))
  expect(storage.get('token')).toBe('mine')
  expect(window.location.search).toContain('token=')
})
