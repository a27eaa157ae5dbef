import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const here = () => window.location.pathname + window.location.search
const signIn = () => screen.findByRole('heading', { name: 'Sign in' })
const rex = () => screen.findByText('Rex', { selector: 'a' })

describe('C-16: both slash forms of a screen are the same screen', () => {
  test.each([
    ['/login/', 'login'],
    ['/error/', 'error'],
    ['/pub/trackers/', 'pubTrackers'],
  ])('%s for anybody', async (path, name) => {
    await renderAt(path)
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
    expect(here()).toBe(path)
  })

  test.each([
    ['/trackers/', 'trackers'],
    ['/map/', 'map'],
    ['/trackers/1/', 'tracker'],
  ])('%s for whoever is signed in', async (path, name) => {
    await using portal = await startPortal()
    await renderAt(path, { portal, as: ALICE })
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
    expect(await screen.findByRole('navigation', { name: 'Main navigation' })).toBeVisible()
  })

  test('/logout/ ends the session too', async () => {
    await renderAt('/logout/', { token: 'abc' })
    await signIn()
    expect([here(), storage.get('token')]).toEqual(['/login', null])
  })

  test('a stranger at /trackers/ is asked to sign in and comes back to what the address said', async () => {
    await renderAt('/trackers/')
    await signIn()
    expect(here()).toBe('/login?next=%2Ftrackers%2F')
  })
})

describe('R-2.54, R-3.93: the last visited route is remembered by its name', () => {
  test('after each navigation, in local storage', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/trackers', { portal, as: ALICE })
    await rex()
    const seen = [localStorage.getItem('lastVisitedRoute')]
    for (const [link, name] of [
      ['Map', 'index'],
      ['Trackers', 'trackers'],
    ]) {
      await user.click(screen.getByRole('link', { name: link as string }))
      await waitFor(() => expect(localStorage.getItem('lastVisitedRoute')).toBe(name))
      seen.push(localStorage.getItem('lastVisitedRoute'))
    }
    await user.click(await rex())
    await waitFor(() => expect(localStorage.getItem('lastVisitedRoute')).toBe('tracker'))
    expect(seen).toEqual(['trackers', 'index', 'trackers'])
  })

  test('a guard that turns a stranger away was no visit', async () => {
    await renderAt('/map')
    await signIn()
    expect(storage.get('lastVisitedRoute')).toBe('login')
  })
})

describe('the start page', () => {
  test('R-2.3: with a session it has the trackers and the map', async () => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/', { portal, as: ALICE })
    expect(await screen.findByRole('region', { name: 'Map' })).toBeInTheDocument()
    expect(document.querySelector('a[href="/trackers/1"]')).not.toBeNull()
    expect(calls.some(({ path }) => path === '/devices/?type=tracker')).toBe(true)
  })

  test('R-2.3: without a session it is the login page, and nothing is asked for', async () => {
    const { calls } = await renderAt('/')
    await signIn()
    expect([here(), calls]).toEqual(['/login', []])
  })
})

describe('R-1.27: the administration belongs to admins', () => {
  test.each([ALICE, 'member@pro.example.com'])('%s finds no such page, and the team is not asked for', async (as) => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/administration/users', { portal, as })
    expect(await screen.findByRole('heading', { name: '404 error' })).toBeVisible()
    expect(calls.filter(({ path }) => path.startsWith('/users/'))).toEqual([])
  })
})

describe('R-2.55: a token in the address', () => {
  test('becomes the session, leaves the address, and goes with the first call', async () => {
    await using portal = await startPortal()
    const token = await portal.token(ALICE)
    const { calls } = await renderAt(`/trackers?token=${token}`, { portal })
    await rex()
    expect(here()).toBe('/trackers')
    expect(localStorage.getItem('token')).toBe(token)
    expect(calls[0]?.headers.get('authorization')).toBe(`Bearer ${token}`)
  })

  test('replaces its entry in the history, so that Back never shows it again', async () => {
    const before = window.history.length
    await renderAt('/nope?token=abc')
    await screen.findByRole('heading', { name: '404 error' })
    expect(window.history.length).toBe(before)
  })

  test('goes before the token of an older session', async () => {
    await using portal = await startPortal()
    const token = await portal.token('bruno@example.com')
    const { calls } = await renderAt(`/trackers?token=${token}`, { portal, as: ALICE })
    await waitFor(() => expect(calls.length).toBeGreaterThan(0))
    expect(calls[0]?.headers.get('authorization')).toBe(`Bearer ${token}`)
  })

  test('R-1.30, D-31: it may come together with what the host app says', async () => {
    await renderAt('/nope?token=abc&host_version=android-com.example.app-2.0.10&host_os=android&native_app=1&deeplink=2&x=1')
    await screen.findByRole('heading', { name: '404 error' })
    expect(here()).toBe('/nope?x=1')
    expect(['token', 'platform', 'hostAppVersion', 'integerVersion', 'nativeApp'].map((key) => localStorage.getItem(key))).toEqual([
      'abc',
      'android',
      '2.0.10',
      '20010',
      'true',
    ])
  })

  test('an empty one is no session', async () => {
    await renderAt('/trackers?token=')
    await signIn()
    expect([here(), storage.get('token')]).toEqual(['/login?next=%2Ftrackers', null])
  })
})

describe('R-4.31: after signing out', () => {
  test('Back shows nothing private, and what was read is forgotten', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/trackers', { portal, as: ALICE })
    await rex()
    await user.click(screen.getByRole('button', { name: 'Account and settings' }))
    await user.click(screen.getByRole('link', { name: 'Log out' }))
    await signIn()
    window.history.back()
    await waitFor(() => expect(here()).toContain('/login'))
    await signIn()
    expect(screen.queryByText('Rex')).toBeNull()
  })

  test('R-4.29: the next person sees only what is theirs', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/logout', { portal, as: ALICE })
    await user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), 'zoe@example.com')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234{Enter}')
    await waitFor(() => expect(here()).toBe('/'))
    const { body } = await portal.call('zoe@example.com', 'GET', '/devices/?type=tracker')
    await waitFor(() => expect(document.querySelectorAll('a[href^="/trackers/"]').length).toBe(body.length))
    expect(screen.queryByText('Rex')).toBeNull()
  })
})
