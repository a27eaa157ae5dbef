import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { forgiven } from '#web/test/habits.ts'
import { renderAt } from '#web/test/render-at.tsx'

const here = () => window.location.pathname + window.location.search
const username = () => screen.findByRole('textbox', { name: /E-mail or username/ })
const password = () => screen.getByLabelText(/^Password/, { selector: 'input' })
const submit = () => screen.getByRole('button', { name: 'Sign in' })

describe('signing in', () => {
  test('R-2.5 signing in stores the token and opens the requested page', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login?next=%2Fnope%3Fday%3D2', { portal })
    await user.type(await username(), ' alice@example.com ')
    await user.type(password(), 'Demo-1234')
    await user.click(submit())
    await waitFor(() => expect(here()).toBe('/nope?day=2'))
    expect(storage.get('token')).toMatch(/^\w{20,}$/)
    expect(storage.get('lastVisitedRoute')).toBe('notFound')
  })

  test('a response of the token alone signs in', async () => {
    await using portal = await startPortal()
    const key = await portal.token('alice@example.com')
    const server = withFaults(portal, { '/api/v1/auth/web_get_token/': respondWith(200, JSON.stringify({ key })) })
    const { user } = await renderAt('/login?next=%2Faccount', { portal: server })
    await user.type(await username(), 'alice@example.com')
    await user.type(password(), 'Demo-1234')
    await user.click(submit())
    expect(await screen.findByText('Alice Almeida')).toBeVisible()
    expect(storage.get('token')).toBe(key)
    forgiven.splice(0)
  })

  test.each(['//evil.test/', 'https://evil.test/', '/login', '/\\evil.test'])(
    'R-2.5 the redirect next=%s is not followed',
    async (next) => {
      await using portal = await startPortal()
      const { user } = await renderAt(`/login?${new URLSearchParams({ next })}`, { portal })
      await user.type(await username(), 'alice@example.com')
      await user.type(password(), 'Demo-1234')
      await user.click(submit())
      await waitFor(() => expect(here()).toBe('/'))
    },
  )

  test('R-8.1 R-7.28 a wrong password stays on the page, shows an error and keeps the input', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt('/login', { portal })
    await user.type(await username(), 'alice@example.com')
    await user.type(password(), 'wrong')
    await user.click(submit())
    expect(await screen.findByText('Incorrect username or password')).toBeVisible()
    expect(here()).toBe('/login')
    expect(await username()).toHaveValue('alice@example.com')
    expect(submit()).toBeEnabled()
    expect(calls.map(({ path }) => path)).toEqual(['/api/v1/auth/web_get_token/'])
  })

  test('too many attempts have their own sentence', async () => {
    const portal = { fetch: async () => Response.json({ detail: 'Slow down.', code: 'throttled' }, { status: 429 }), token: () => '' }
    const { user } = await renderAt('/login', { portal })
    await user.type(await username(), 'alice@example.com')
    await user.type(password(), 'wrong{Enter}')
    expect(await screen.findByText(/Too many attempts/)).toBeVisible()
  })

  test.each([400, 401, 403])('R-8.1 R-8.29 a response of %i with an empty body is shown as a wrong password', async (status) => {
    const portal = { fetch: async () => new Response('', { status }), token: () => '' }
    const { user } = await renderAt('/login', { portal })
    await user.type(await username(), 'a')
    await user.type(password(), 'b{Enter}')
    expect(await screen.findByText('Incorrect username or password')).toBeVisible()
  })

  test('R-8.30 any other failure shows the general message', async () => {
    const portal = { fetch: async () => new Response('<html>', { status: 500 }), token: () => '' }
    const { user } = await renderAt('/login', { portal })
    await user.type(await username(), 'a')
    await user.type(password(), 'b{Enter}')
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
  })

  test('R-7.26 a request without a response leads to /error', async () => {
    const portal = { fetch: () => Promise.reject(new TypeError('Failed to fetch')), token: () => '' }
    const { user } = await renderAt('/login', { portal })
    await user.type(await username(), 'a')
    await user.type(password(), 'b{Enter}')
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(here()).toBe('/error')
  })

  test('R-5.1 R-5.6 R-5.7 empty fields are marked, the first is focused and no request is sent', async () => {
    const { user, calls } = await renderAt('/login')
    await user.type(await username(), '  ')
    await user.click(submit())
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(await username()).toHaveFocus()
    expect(await username()).toBeRequired()
    expect(password()).toBeInvalid()
    expect(calls).toEqual([])
  })

  test('the password can be shown', async () => {
    const { user } = await renderAt('/login')
    await username()
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password()).toHaveAttribute('type', 'text')
    expect(screen.getByRole('button', { name: 'Hide password' })).toBeVisible()
  })

  test('R-2.5 the form is shown without navigation even to a user with a token', async () => {
    await renderAt('/login', { token: 'abc' })
    expect(await username()).toBeVisible()
    expect(here()).toBe('/login')
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})

describe('demo server', () => {
  test('a demo server lists its accounts, and one click signs in', async () => {
    await using portal = await startPortal()
    const demo = { password: 'Demo-1234', accounts: ['alice@example.com', 'bruno@example.com'] }
    const { user } = await renderAt('/login', { portal, config: { demo } })
    await user.click(await screen.findByRole('button', { name: 'bruno@example.com' }))
    await waitFor(() => expect(storage.get('token')).not.toBeNull())
  })

  test('a regular server lists no accounts', async () => {
    await renderAt('/login')
    await username()
    expect(screen.queryByText('Demo accounts')).toBeNull()
  })
})
