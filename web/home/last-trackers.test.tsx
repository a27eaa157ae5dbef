import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { noResponse, withFaults } from '#web/test/faults.ts'
// This import also stubs the canvas for jsdom.
import '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const never = () => new Promise<Response>(() => undefined)
const strip = () => screen.queryByText(/^Last known: /)

/** A visit loads the portal's modules again, like a page load. */
async function visit(...[path, options]: Parameters<typeof import('#web/test/render-at.tsx')['renderAt']>) {
  cleanup()
  vi.resetModules()
  const { renderAt } = await import('#web/test/render-at.tsx')
  return renderAt(path, options)
}

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => void vi.restoreAllMocks())

test('a second visit shows the trackers of the last one, with their time, until the server responds', async () => {
  await using portal = await startPortal()
  await visit('/', { portal, as: ALICE })
  await screen.findAllByText('Rex')
  let respond: () => void = () => undefined
  const late = new Promise<void>((resolve) => (respond = resolve))
  const server = { ...portal, fetch: (async (...request) => late.then(() => portal.fetch(...request))) as typeof fetch }
  await visit('/', { portal: server, token: storage.get('token')! })
  // By the clock of this machine Rex has been silent for long, so he is in the collapsed group.
  expect((await screen.findAllByText('Runaway cat'))[0]).toBeVisible()
  await waitFor(() => expect(strip()).toBeVisible())
  expect(document.documentElement).toHaveAttribute('data-last-known')
  respond()
  await waitFor(() => expect(strip()).toBeNull())
  expect(document.documentElement).not.toHaveAttribute('data-last-known')
})

test('the trackers of the last visit stay when the server is unreachable', async () => {
  await using portal = await startPortal()
  await visit('/', { portal, as: ALICE })
  await screen.findAllByText('Rex')
  const server = withFaults(portal, { '/devices/?': noResponse })
  const { calls } = await visit('/', { portal: server, token: storage.get('token')! })
  await screen.findAllByText('Rex')
  await waitFor(() => expect(calls.filter(({ path }) => path.startsWith('/devices/?'))).toHaveLength(4), { timeout: 20_000 })
  expect(strip()).toBeVisible()
  expect(window.location.pathname).toBe('/')
})

test('signing out erases the saved trackers, and another session never sees them', async () => {
  await using portal = await startPortal()
  await visit('/', { portal, as: ALICE })
  await screen.findAllByText('Rex')
  const saved = storage.get('lastTrackers')
  expect(saved).toContain('Rex')
  const { session } = await import('#web/lib/session.ts')
  session.end()
  expect(storage.get('lastTrackers')).toBeNull()
  storage.set('lastTrackers', saved!)
  await visit('/', { portal: withFaults(portal, { '/devices/?': never }), as: 'admin@pro.example.com' })
  await screen.findByRole('navigation', { name: 'Main navigation' })
  expect(screen.queryByText('Rex')).toBeNull()
  expect(strip()).toBeNull()
})
