import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const here = () => window.location.pathname + window.location.search
const signIn = () => screen.findByRole('heading', { name: 'Sign in' })
const rex = () => screen.findByText('Rex', { selector: 'a' })

describe('trailing slashes', () => {
  test.each([
    ['/login/', 'login'],
    ['/error/', 'error'],
    ['/pub/trackers/', 'pubTrackers'],
  ])('%s opens the public screen and keeps its trailing slash', async (path, name) => {
    await renderAt(path)
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
    expect(here()).toBe(path)
  })

  test.each([
    ['/trackers/', 'trackers'],
    ['/map/', 'map'],
    ['/trackers/1/', 'tracker'],
  ])('%s opens the signed-in screen despite the trailing slash', async (path, name) => {
    await using portal = await startPortal()
    await renderAt(path, { portal, as: ALICE })
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe(name))
    expect(await screen.findByRole('navigation', { name: 'Main navigation' })).toBeVisible()
  })

  test('/logout/ ends the session despite the trailing slash', async () => {
    await renderAt('/logout/', { token: 'abc' })
    await signIn()
    expect([here(), storage.get('token')]).toEqual(['/login', null])
  })

  test('a signed-out visitor to /trackers/ is sent to the login page, which leads back to that address', async () => {
    await renderAt('/trackers/')
    await signIn()
    expect(here()).toBe('/login?next=%2Ftrackers%2F')
  })
})

describe('R-2.54 R-3.93 last visited route', () => {
  test('each navigation saves the name of the route in local storage', async () => {
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

  test('a route that redirects to the login page is not saved as visited', async () => {
    await renderAt('/map')
    await signIn()
    expect(storage.get('lastVisitedRoute')).toBe('login')
  })
})

describe('start page', () => {
  test('R-2.3 a signed-in user sees the trackers and the map at /', async () => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/', { portal, as: ALICE })
    expect(await screen.findByRole('region', { name: 'Map' })).toBeInTheDocument()
    expect(document.querySelector('a[href="/trackers/1"]')).not.toBeNull()
    expect(calls.some(({ path }) => path === '/devices/?type=tracker')).toBe(true)
  })

  test('R-2.3 a signed-out visitor to / gets the login page and no request is sent', async () => {
    const { calls } = await renderAt('/')
    await signIn()
    expect([here(), calls]).toEqual(['/login', []])
  })
})

describe('R-1.27 the team page is for admins only', () => {
  test.each([ALICE, 'member@pro.example.com'])('%s gets the 404 page at the team address, and the team is not requested', async (as) => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/administration/users', { portal, as })
    expect(await screen.findByRole('heading', { name: '404 error' })).toBeVisible()
    expect(calls.filter(({ path }) => path.startsWith('/users/'))).toEqual([])
  })
})

describe('R-2.55 token in the address', () => {
  test('a token in the address starts the session, leaves the address and is sent with the first request', async () => {
    await using portal = await startPortal()
    const token = await portal.token(ALICE)
    const { calls } = await renderAt(`/trackers?token=${token}`, { portal })
    await rex()
    expect(here()).toBe('/trackers')
    expect(localStorage.getItem('token')).toBe(token)
    expect(calls[0]?.headers.get('authorization')).toBe(`Bearer ${token}`)
  })

  test('the address with the token is replaced in the history, so Back never shows it again', async () => {
    const before = window.history.length
    await renderAt('/nope?token=abc')
    await screen.findByRole('heading', { name: '404 error' })
    expect(window.history.length).toBe(before)
  })

  test('R-1.30 a token may come together with the parameters of the host app', async () => {
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

  test('an empty token in the address starts no session', async () => {
    await renderAt('/trackers?token=')
    await signIn()
    expect([here(), storage.get('token')]).toEqual(['/login?next=%2Ftrackers', null])
  })
})

describe('R-4.31 after signing out', () => {
  test('Back shows nothing private after signing out, and cached data is gone', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/trackers', { portal, as: ALICE })
    await rex()
    await user.click(screen.getByRole('button', { name: 'Account and settings' }))
    await user.click(await screen.findByRole('link', { name: 'Log out' }))
    await signIn()
    window.history.back()
    await waitFor(() => expect(here()).toContain('/login'))
    await signIn()
    expect(screen.queryByText('Rex')).toBeNull()
  })

  test('R-4.29 the next user sees only their own data', async () => {
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
