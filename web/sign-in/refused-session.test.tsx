import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
// Sets up the canvas stub.
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const ENDED = 'Your session has ended. Sign in to continue.'
const REFUSED = 'Your password is right, but the portal could not open your account. Please contact support.'
const OPEN = /You are already signed in/
const here = () => window.location.pathname + window.location.search

let logged = vi.spyOn(console, 'error')
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

type Person = Awaited<ReturnType<typeof renderAt>>['user']
const signIn = async (user: Person) => {
  await user.type(await screen.findByRole('textbox', { name: /E-mail or username/ }), ALICE)
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234{Enter}')
}
const hints = () => logged.mock.calls.filter(([what]) => String(what).includes('auth.scheme'))

test('a backend that rejects an expired session with 403 leads to a form that signs in again', async () => {
  await using portal = await startPortal()
  const server = withFaults(portal, { 'GET /options/': respondWith(403), 'GET /devices/': respondWith(403) })
  const { user } = await renderAt('/trackers', { portal: server, as: ALICE })
  expect(await screen.findByText(ENDED)).toHaveRole('status')
  expect(screen.queryByText(OPEN)).toBeNull()
  const before = storage.get('token')
  expect(before).not.toBeNull()
  server.mend()
  await signIn(user)
  expect(await screen.findByText('Rex', { selector: 'a' })).toBeVisible()
  expect(here()).toBe('/trackers')
  expect(storage.get('token')).not.toBe(before)
})

test('after a 403 for an open session the form says that the user is signed in', async () => {
  await using portal = await startPortal()
  await renderAt('/trackers', { portal: withFaults(portal, { 'GET /devices/': respondWith(403) }), as: ALICE })
  expect(await screen.findByText(OPEN)).toBeVisible()
  expect(screen.queryByText(ENDED)).toBeNull()
})

test('if the state of the session is unknown, the form says nothing about it', async () => {
  await using portal = await startPortal()
  const server = withFaults(portal, { 'GET /devices/': respondWith(403), 'GET /options/': respondWith(500) })
  await renderAt('/trackers', { portal: server, as: ALICE })
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
  await waitFor(() => expect(logged).toHaveBeenCalledWith('GET /options/ failed', expect.anything()))
  expect(screen.queryByText(OPEN)).toBeNull()
  expect(screen.queryByText(ENDED)).toBeNull()
})

test.each([401, 403])('a session rejected with %i at its first request is distinguished from an expired one', async (status) => {
  await using portal = await startPortal()
  const server = withFaults(portal, { 'GET /': respondWith(status) })
  const { user, calls } = await renderAt('/login', { portal: server })
  await signIn(user)
  expect(await screen.findByText(REFUSED)).toHaveRole('status')
  expect(screen.queryByText(ENDED)).toBeNull()
  expect(here()).toBe('/login')
  expect(hints()).toEqual([[expect.stringContaining('config.json'), { scheme: 'Bearer' }]])
  const before = calls.length
  await waitFor(() => expect(storage.get('lastVisitedRoute')).toBe('login'))
  expect(calls).toHaveLength(before)
  server.mend()
  await signIn(user)
  expect(await screen.findByRole('heading', { name: /^Trackers/ })).toBeVisible()
})

test('a session that was accepted once and is rejected later has expired', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/login?next=%2Ftrackers', { portal })
  await signIn(user)
  await screen.findByText('Rex', { selector: 'a' })
  await portal.call(ALICE, 'POST', '/users/change_password/', { old_password: 'Demo-1234', new_password: 'Another-good-word-7' })
  await user.click(screen.getByRole('link', { name: 'Map' }))
  await waitFor(() => expect(here()).toMatch(/^\/($|login)/))
  const { queryClient } = await import('#web/lib/api/query.ts')
  await queryClient.invalidateQueries()
  expect(await screen.findByText(ENDED)).toBeVisible()
  expect(hints()).toEqual([])
})
