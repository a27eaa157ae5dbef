import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import en from '#locales/en/portal.json' with { type: 'json' }
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { routes } from './routes.tsx'

const here = () => window.location.pathname + window.location.search
const nav = () => screen.queryByRole('navigation', { name: 'Main navigation' })

describe('the route table', () => {
  test('R-2.1: every screen is loaded when it is opened, and the table is not empty', () => {
    expect(routes.length).toBeGreaterThan(3)
    for (const row of routes) expect('screen' in row ? row.screen : row.enter).toBeTypeOf('function')
  })

  test.each(routes.map(({ name }) => name))('R-2.2: %s has a title of its own', (name) => {
    expect(en.title[name]).toMatch(/\S/)
  })

  test('paths are told once', () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length)
  })
})

describe('R-2.54: the last visited route is remembered by name', () => {
  test.each([
    ['/login', 'login'],
    ['/error', 'error'],
    ['/nope/at/all', 'notFound'],
  ])('%s is %s', async (path, name) => {
    await renderAt(path)
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
  })
})

describe('404', () => {
  test('R-2.53, R-8.16, R-8.17: an unknown path, without navigation for a stranger', async () => {
    const { calls } = await renderAt('/orders/x/y')
    expect(await screen.findByRole('heading', { name: '404 error' })).toBeVisible()
    expect(screen.getByText('Page not found')).toBeVisible()
    expect(document.title).toBe('Whereabouts - Page not found')
    expect(nav()).toBeNull()
    expect(calls).toEqual([])
  })

  test('R-2.53: with the navigation bar for whoever is signed in', async () => {
    await renderAt('/nope', { token: 'abc' })
    await screen.findByRole('heading', { name: '404 error' })
    expect(nav()).toBeVisible()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#content')
  })
})

describe('/error', () => {
  test('R-2.52, R-8.15: says so, calls nothing, and goes back', async () => {
    const { user, calls } = await renderAt('/nope')
    await user.click(await screen.findByRole('link', { name: 'Go to the start page' }))
    window.history.pushState(null, '', '/error')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(screen.getByRole('alert')).toBeVisible()
    expect(calls).toEqual([])
  })

  test('R-2.52: opened as the first page, trying again leads to the start', async () => {
    const { user } = await renderAt('/error')
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(here()).not.toBe('/error'))
  })
})

describe('/logout', () => {
  test('R-2.6, R-4.29 … R-4.31, C-05: ends the session and shows the login page', async () => {
    sessionStorage.setItem('draft', 'x')
    storage.set('hostOs', 'ios')
    await renderAt('/logout', { token: 'abc' })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(here()).toBe('/login')
    expect([storage.get('token'), storage.get('hostOs'), sessionStorage.length]).toEqual([null, 'ios', 0])
  })
})

describe('the address', () => {
  test('R-2.55, trap 16: a token leaves the address before anything is drawn', async () => {
    await renderAt('/nope?token=abc&x=1')
    expect(here()).toBe('/nope?x=1')
    expect(storage.get('token')).toBe('abc')
    await screen.findByRole('heading', { name: '404 error' })
  })
})

describe('a configuration that cannot be used', () => {
  test('is one page that names field and reason', async () => {
    await renderAt('/login', { config: { productName: '', tiles: undefined } })
    expect(await screen.findByRole('heading', { name: 'The portal is not set up correctly' })).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('productName has a value that cannot be used')
    expect(screen.getByRole('alert')).toHaveTextContent('tiles is missing')
  })
})
