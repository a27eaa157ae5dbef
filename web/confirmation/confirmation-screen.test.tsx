import { render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { startApp } from '#web/app/app.tsx'
import { queryClient } from '#web/lib/api/query.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { CONFIG } from '#web/test/sample-config.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const at = (key: string) => `/account_confirmation?key=${key}`
const heading = (name: string) => screen.findByRole('heading', { name })
const newLink = () => screen.findByRole('button', { name: 'Generate a new link' })

describe('confirmation link', () => {
  test('R-2.18 the link confirms the address without a session', async () => {
    await using portal = await startPortal()
    const { calls } = await renderAt(at(SEED_KEYS.confirmValid), { portal, as: 'alice@example.com' })
    expect(await heading('Your e-mail address is confirmed')).toBeVisible()
    expect(calls.map(({ method, path, headers }) => [method, path, headers.has('authorization')])).toEqual([
      ['POST', '/users/confirm_email/', false],
    ])
    expect((await portal.call('chloe@example.com', 'GET', '/options/')).body).toMatchObject({ email_confirmed: true })
  })

  test('R-2.19 the key is sent once although React renders the page twice', async () => {
    await using portal = await startPortal()
    queryClient.clear()
    window.history.replaceState(null, '', at(SEED_KEYS.confirmValid))
    const asked: string[] = []
    const app = await startApp(async (input, init = {}) => {
      const { pathname } = new URL(String(input), window.location.origin)
      if (pathname === '/config.json') return Response.json(CONFIG)
      asked.push(`${init.method} ${pathname}`)
      return portal.fetch(pathname, { ...init, signal: null })
    })
    render(<StrictMode>{app}</StrictMode>)
    expect(await heading('Your e-mail address is confirmed')).toBeVisible()
    expect(asked).toEqual(['POST /users/confirm_email/'])
  })

  test('R-2.19 a used link says that the address is already confirmed', async () => {
    await using portal = await startPortal()
    await renderAt(at(SEED_KEYS.confirmUsed), { portal })
    expect(await heading('Your e-mail address is already confirmed')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
  })

  test.each([
    ['unknown', at(UNKNOWN)],
    ['not a key', at('nonsense')],
    ['missing', '/account_confirmation'],
  ])('R-2.21 R-8.13 R-8.14 a key that is %s shows an error', async (_, path) => {
    await using portal = await startPortal()
    await renderAt(path, { portal })
    expect(await heading('Oops, something went wrong!')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('We encountered a problem while verifying your email.')
  })

  test('R-2.21 R-8.29 a failing server shows an error', async () => {
    await renderAt(at(UNKNOWN), { portal: { fetch: async () => new Response('<html>', { status: 502 }), token: () => '' } })
    expect(await heading('Oops, something went wrong!')).toBeVisible()
  })

  test.each([
    ['a confirmed address', 'alice@example.com', 'Your e-mail address is already confirmed'],
    ['an address that is not confirmed', 'chloe@example.com', 'Oops, something went wrong!'],
    ['no session', undefined, 'Oops, something went wrong!'],
  ])("if the backend does not have the call, the session's options decide: %s", async (_, as, words) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    await using portal = await startPortal()
    for (const missing of [
      respondWith(404, '<h1>Not Found</h1>'),
      respondWith(401),
      respondWith(405),
      respondWith(200, '<h1>Start</h1>'),
    ]) {
      const view = await renderAt(at('abc'), { portal: withFaults(portal, { '/users/confirm_email/': missing }), ...(as && { as }) })
      expect(await heading(words)).toBeVisible()
      view.unmount()
    }
    logged.mockRestore()
  })

  test('R-7.26 a request without a response leads to /error', async () => {
    await using portal = await startPortal()
    await renderAt(at(UNKNOWN), { portal: withFaults(portal, { '/users/confirm_email/': noResponse }) })
    expect(await heading('Server error')).toBeVisible()
  })
})

describe('R-2.20 R-8.12 expired link', () => {
  test('a signed-out user requests a new link with the expired key', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt(at(SEED_KEYS.confirmExpired), { portal })
    expect(await heading('Oops, your link has expired!')).toBeVisible()
    await user.click(await newLink())
    expect(await screen.findByText('A new e-mail is on its way.')).toBeVisible()
    expect(calls.at(-1)).toMatchObject({ method: 'POST', path: '/users/confirm_email/resend/' })
    const { body } = await portal.call(null, 'GET', '/mock/mail?to=chloe@example.com', undefined, { host: 'localhost' })
    expect(body[0]).toMatchObject({ template: 'confirm_email' })
  })

  test('a signed-in user requests a new link for their own account', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt(at(SEED_KEYS.confirmExpired), { portal, as: 'chloe@example.com' })
    await user.click(await newLink())
    expect(await screen.findByText('A new e-mail is on its way.')).toBeVisible()
    expect(calls.at(-1)).toMatchObject({ method: 'PATCH', path: '/users/me/' })
  })

  test('a user whose session has expired requests a new link with the expired key', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt(at(SEED_KEYS.confirmExpired), { portal, token: 'stale' })
    await user.click(await newLink())
    expect(await screen.findByText('A new e-mail is on its way.')).toBeVisible()
    expect(calls.at(-1)?.path).toBe('/users/confirm_email/resend/')
  })

  test('too many requests for a new link are refused with a message', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/users/confirm_email/resend/': respondWith(429) })
    const { user } = await renderAt(at(SEED_KEYS.confirmExpired), { portal: server })
    await user.click(await newLink())
    expect(await screen.findByText(/Too many e-mails in a short time/)).toBeVisible()
    server.mend()
    await user.click(await newLink())
    expect(await screen.findByText('A new e-mail is on its way.')).toBeVisible()
  })
})

describe('R-2.15 link that changes the address', () => {
  const complete = (key: string) => `/account_email_update_complete?key=${key}`

  test('the link makes the new address the address of the account', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt(complete(SEED_KEYS.changeValid), { portal, as: 'george@example.com' })
    expect(await screen.findByText('Your e-mail address is now george.new@example.com.')).toBeVisible()
    expect(calls.map(({ path, headers }) => [path, headers.has('authorization')])).toEqual([['/users/change_email/confirm/', false]])
    await user.click(screen.getByRole('link', { name: 'Go to your trackers' }))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
  })

  test('R-8.12 an expired link offers to start again', async () => {
    await using portal = await startPortal()
    await renderAt(complete(SEED_KEYS.changeExpired), { portal })
    expect(await heading('Oops, your link has expired!')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change e-mail again' })).toHaveAttribute('href', '/account_email_update')
  })

  test.each([complete(UNKNOWN), '/account_email_update_complete'])('an unknown or missing key shows an error (%s)', async (path) => {
    await using portal = await startPortal()
    await renderAt(path, { portal })
    expect(await heading('Oops, something went wrong!')).toBeVisible()
  })

  test('an address that another account has taken meanwhile is reported', async () => {
    await renderAt(complete(UNKNOWN), { portal: { fetch: async () => new Response('', { status: 409 }), token: () => '' } })
    expect(await screen.findByText('This e-mail address is already in use')).toBeVisible()
  })
})
