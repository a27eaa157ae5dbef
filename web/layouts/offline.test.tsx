import { act, configure, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { renderAt } from '#web/test/render-at.tsx'

// Whole screens with a whole server are slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 })
configure({ asyncUtilTimeout: 30_000 })

const goes = (online: boolean) =>
  act(async () => {
    Object.defineProperty(navigator, 'onLine', { value: online, configurable: true })
    window.dispatchEvent(new Event(online ? 'online' : 'offline'))
  })
afterEach(() => goes(true))

function reached(portal: Awaited<ReturnType<typeof startPortal>>) {
  const line = { isCut: false }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (line.isCut) throw new TypeError('Failed to fetch')
    return portal.fetch(input, init)
  }
  return Object.assign(line, { fetch, token: portal.token })
}

const asOf = () => screen.queryByText(/^Offline – shown as of \d/)
const here = () => window.location.pathname

test('offline, a screen keeps its data and typed text and says since when; back online it reloads', async () => {
  await using portal = await startPortal()
  const server = reached(portal)
  const { user, calls } = await renderAt('/tags', { portal: server, as: 'alice@example.com' })
  await user.click(await screen.findByRole('button', { name: 'Add tag' }))
  const field = await screen.findByRole('textbox', { name: /Name/ })
  await user.type(field, 'Summer')
  expect(asOf()).toBeNull()
  server.isCut = true
  await goes(false)
  expect(asOf()).toBeVisible()
  expect(document.documentElement).toHaveAttribute('data-offline')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('You are offline. Please try again once you are connected.')).toBeVisible()
  expect([here(), (field as HTMLInputElement).value]).toEqual(['/tags', 'Summer'])
  server.isCut = false
  const before = calls.length
  await goes(true)
  await waitFor(() => expect(asOf()).toBeNull())
  expect(document.documentElement).not.toHaveAttribute('data-offline')
  await waitFor(() => expect(calls.slice(before).map(({ method }) => method)).toContain('GET'))
  expect(field).toBeVisible()
})

test('offline, a dialog that cannot load says so in place, and loads by itself once back online', async () => {
  await using portal = await startPortal()
  const server = reached(portal)
  const { user } = await renderAt('/trackers/1', { portal: server, as: 'alice@example.com' })
  const share = await screen.findByRole('button', { name: 'Share' })
  server.isCut = true
  await goes(false)
  await user.click(share)
  expect(await screen.findByText('We could not load this.')).toBeVisible()
  expect(here()).toBe('/trackers/1')
  server.isCut = false
  await goes(true)
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeVisible()
  expect(screen.queryByText('We could not load this.')).toBeNull()
})

test('R-7.26 offline, a screen without data leads to /error, which gives the reason and returns by itself', async () => {
  await goes(false)
  await using portal = await startPortal()
  const server = reached(portal)
  server.isCut = true
  await renderAt('/trackers', { portal: server, as: 'alice@example.com' })
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible()
  expect(here()).toBe('/error')
  server.isCut = false
  await goes(true)
  expect(await screen.findByText('Rex', { selector: 'a' })).toBeVisible()
  expect(here()).toBe('/trackers')
})
