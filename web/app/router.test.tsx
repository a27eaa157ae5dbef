import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import en from '#locales/en/portal.json' with { type: 'json' }
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { routes } from './routes.tsx'

const here = () => window.location.pathname + window.location.search
const nav = () => screen.queryByRole('navigation', { name: 'Main navigation' })

describe('route table', () => {
  test('R-2.1 every screen in the route table is lazy, and the table is not empty', () => {
    expect(routes.length).toBeGreaterThan(3)
    for (const row of routes) expect('screen' in row ? row.screen : row.enter).toBeTypeOf('function')
  })

  test('R-2.2 every route has a title', () => {
    expect(routes.map(({ name }) => name).filter((name) => !/\S/.test(en.title[name]))).toEqual([])
  })

  test('no path is listed twice in the route table', () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length)
  })
})

describe('R-2.54 last visited route', () => {
  test.each([
    ['/login', 'login'],
    ['/error', 'error'],
    ['/nope/at/all', 'notFound'],
  ])('visiting %s saves the route name %s', async (path, name) => {
    await renderAt(path)
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
  })
})

describe('404 page', () => {
  test('R-2.53 R-8.16 R-8.17 an unknown path shows the 404 page without navigation to a signed-out visitor', async () => {
    const { calls } = await renderAt('/orders/x/y')
    expect(await screen.findByRole('heading', { name: '404 error' })).toBeVisible()
    expect(screen.getByText('Page not found')).toBeVisible()
    expect(document.title).toBe('Whereabouts - Page not found')
    expect(nav()).toBeNull()
    expect(calls).toEqual([])
  })

  test('R-2.53 the 404 page has the navigation bar for a signed-in user', async () => {
    await renderAt('/nope', { token: 'abc' })
    await screen.findByRole('heading', { name: '404 error' })
    expect(nav()).toBeVisible()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#content')
  })
})

describe('/error', () => {
  test('R-2.52 R-8.15 /error names the failure and sends no requests', async () => {
    const { user, calls } = await renderAt('/nope')
    await user.click(await screen.findByRole('link', { name: 'Go to the start page' }))
    window.history.pushState(null, '', '/error')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(screen.getByRole('alert')).toBeVisible()
    expect(calls).toEqual([])
  })

  test('R-2.52 trying again on /error leads to the start page when /error was opened first', async () => {
    const { user } = await renderAt('/error')
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(here()).not.toBe('/error'))
  })
})

describe('/logout', () => {
  test('R-2.6 R-4.29 … R-4.31 /logout ends the session and shows the login page', async () => {
    sessionStorage.setItem('draft', 'x')
    storage.set('hostOs', 'ios')
    await renderAt('/logout', { token: 'abc' })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(here()).toBe('/login')
    expect([storage.get('token'), storage.get('hostOs'), sessionStorage.length]).toEqual([null, 'ios', 0])
  })

  const signedOut = () => screen.findByRole('heading', { name: 'Sign in' })

  test('R-4.29 /logout also ends the session on the server', async () => {
    await using portal = await startPortal()
    const token = await portal.token('alice@example.com')
    await renderAt('/logout', { portal, token, config: { features: [...FEATURES] } })
    await signedOut()
    const headers = { authorization: `Bearer ${token}` }
    await waitFor(async () => expect((await portal.call(null, 'GET', '/options/', undefined, headers)).status).toBe(401))
  })

  test('a backend without the sign-out call gets no request for it', async () => {
    const { calls } = await renderAt('/logout', { token: 'abc' })
    await signedOut()
    expect(calls).toEqual([])
  })

  test('without a connection /logout ends the session in the browser', async () => {
    const offline = { fetch: () => Promise.reject(new TypeError('offline')), token: () => 'abc' }
    const { calls } = await renderAt('/logout', { portal: offline, token: 'abc', config: { features: [...FEATURES] } })
    await signedOut()
    expect([here(), storage.get('token'), calls.map(({ method }) => method)]).toEqual(['/login', null, ['DELETE']])
  })
})

describe('address', () => {
  test('R-2.55 a token leaves the address before anything is rendered', async () => {
    await renderAt('/nope?token=abc&x=1')
    expect(here()).toBe('/nope?x=1')
    expect(storage.get('token')).toBe('abc')
    await screen.findByRole('heading', { name: '404 error' })
  })
})

describe('unusable configuration', () => {
  test('an invalid configuration shows one page that names each field and reason', async () => {
    await renderAt('/login', { config: { productName: '', tiles: undefined } })
    expect(await screen.findByRole('heading', { name: 'The portal is not set up correctly' })).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('productName has a value that cannot be used')
    expect(screen.getByRole('alert')).toHaveTextContent('tiles is missing')
  })
})
