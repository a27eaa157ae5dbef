import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { storage } from '#web/lib/storage.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven } from '#web/test/habits.ts'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const here = () => window.location.pathname + window.location.search
const list = () => screen.findByText('Rex', { selector: 'a' })
const serverError = () => screen.findByRole('heading', { name: 'Server error' })
let logged = vi.spyOn(console, 'error')

beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

describe('R-7.26 R-8.24 no response', () => {
  test('a request without a response leads to /error once, and /error sends no further requests', async () => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/trackers', { portal: withFaults(portal, { '/': noResponse }), as: ALICE })
    await serverError()
    expect(here()).toBe('/error')
    const before = calls.length
    await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe('error'))
    expect(calls).toHaveLength(before)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('R-2.52 trying again on /error returns to the screen and reloads its data', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/devices/': noResponse })
    const { user } = await renderAt('/trackers', { portal: server, as: ALICE })
    await serverError()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await list()).toBeVisible()
    expect(here()).toBe('/trackers')
  })

  test('a request without a response does not end the session', async () => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/': noResponse }), as: ALICE })
    await serverError()
    expect(storage.get('token')).not.toBeNull()
  })

  test('a lost live stream alone does not lead to /error', async () => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/devices/live/': noResponse }), as: ALICE })
    expect(await list()).toBeVisible()
    expect(here()).toBe('/trackers')
  })

  test('a request aborted by leaving its screen does not lead to /error', async () => {
    await using portal = await startPortal()
    const never = () => new Promise<Response>(() => {})
    const { user } = await renderAt('/trackers', { portal: withFaults(portal, { '/devices/': never }), as: ALICE })
    await user.click(await screen.findByRole('button', { name: 'Account and settings' }))
    await user.click(await screen.findByRole('link', { name: 'Log out' }))
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(here()).toBe('/login')
  })
})

describe('R-7.27 R-8.24 rejected session', () => {
  test('a 401 while working leads to the login page, which leads back after signing in', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/trackers?sort=name', { portal, token: '0'.repeat(40) })
    expect(await screen.findByText('Your session has ended. Sign in to continue.')).toHaveRole('status')
    await user.type(screen.getByRole('textbox', { name: /E-mail or username/ }), ALICE)
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234{Enter}')
    expect(await list()).toBeVisible()
    expect(here()).toBe('/trackers?sort=name')
  })

  test('a visitor who never signed in is not told that a session has ended', async () => {
    await renderAt('/trackers')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(here()).toBe('/login?next=%2Ftrackers')
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
  })

  test('a 403 leads to the login page but keeps the token and does not return by itself', async () => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/devices/': respondWith(403) }), as: ALICE })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(here()).toBe('/login?next=%2Ftrackers')
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
    expect(storage.get('token')).not.toBeNull()
  })

  test('a 401 is not logged', async () => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/devices/': respondWith(401) }), as: ALICE })
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(logged.mock.calls.filter(([what]) => String(what).includes('/devices/'))).toEqual([])
  })
})

describe('R-7.29 other failed requests', () => {
  test.each([400, 404, 409, 500, 502])('a %i response shows an error in place, is logged once and can be retried', async (status) => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/devices/?': respondWith(status) })
    const { user } = await renderAt('/trackers', { portal: server, as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    expect(here()).toBe('/trackers')
    expect(logged.mock.calls.filter(([what]) => what === 'GET /devices/ failed')).toEqual([
      ['GET /devices/ failed', expect.objectContaining({ status })],
    ])
    expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await list()).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test.each([
    ['the server’s error message', '{"detail":"Broken.","code":"server_error"}'],
    ['no body', ''],
    ['HTML', '<!doctype html><h1>500 internal secrets</h1>'],
    ['a list', '["internal secrets"]'],
  ])('R-8.29 the error looks the same when the response contains %s', async (_, body) => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/devices/?': respondWith(500, body) }), as: ALICE })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('We could not load this.Try again')
    expect(screen.queryByText(/secrets|Broken/)).toBeNull()
  })

  test('a 200 response that breaks the contract is shown as a failure', async () => {
    await using portal = await startPortal()
    await renderAt('/trackers', { portal: withFaults(portal, { '/devices/?': respondWith(200, '{"devices":"many"}') }), as: ALICE })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
    forgiven.splice(0)
  })

  test('a failed request does not affect another screen, and coming back loads the data again', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/devices/?': respondWith(500) })
    const { user } = await renderAt('/trackers', { portal: server, as: ALICE })
    await screen.findByRole('alert')
    server.mend()
    await user.click(screen.getByRole('link', { name: 'Map' }))
    await waitFor(() => expect(here()).toBe('/'))
    await user.click(screen.getByRole('link', { name: 'Trackers' }))
    expect(await list()).toBeVisible()
  })
})

describe('R-7.23 API host', () => {
  test.each(['https://api.example.com', 'https://api.example.com/'])(
    'with the base %s every request goes to that host without a double slash',
    async (apiBaseUrl) => {
      await using portal = await startPortal()
      const { calls } = await renderAt('/trackers', { portal, as: ALICE, config: { apiBaseUrl } })
      expect(await list()).toBeVisible()
      expect(new URL(clientPorts().base).origin).toBe('https://api.example.com')
      expect(calls.length).toBeGreaterThan(0)
      expect(calls.filter(({ path }) => path.includes('//'))).toEqual([])
    },
  )

  test("without an API base the portal's own origin is used", async () => {
    await renderAt('/login')
    expect(new URL(clientPorts().base).origin).toBe(window.location.origin)
  })
})
