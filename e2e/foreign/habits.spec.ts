import type { Page } from '@playwright/test'
import { createPortalConfig } from '#e2e/foreign-backend/portal-config.ts'
import { type ForeignBackend, startForeignBackend } from '#e2e/foreign-backend/server.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { startStaticHost } from '#e2e/static-host.ts'
import { expect, test } from './journey.ts'

/** Opens an address of the test's own portal as the first user. */
async function openOver(page: Page, backend: ForeignBackend, path: string) {
  const host = await startStaticHost(createPortalConfig(backend))
  const token = createToken()
  backend.state.sessions.set(token, 1)
  await page.goto(`${host.origin}${path}${path.includes('?') ? '&' : '?'}token=${token}`)
  return host
}

test('a tracker without the start of its standstill is not shown as moving', async ({ page }) => {
  await using backend = await startForeignBackend('drf', { habits: { names: { stationary_since: '' }, positionTime: undefined } })
  await using _host = await openOver(page, backend, '/')
  await expect(page.getByRole('link', { name: /Rex.*Position known/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Moving/ })).toHaveCount(0)
})

test('reads rejected for a minute, which the page cannot see, are repeated until they succeed', async ({ page }) => {
  let now = Date.now()
  await using backend = await startForeignBackend('geojson', { habits: { requestsPerMinute: 12 }, now: () => new Date(now) })
  await using _host = await openOver(page, backend, '/public_links')
  const count = (status: number) => backend.journal.filter((entry) => entry.status === status).length
  await expect.poll(() => count(429), { timeout: 60_000 }).toBeGreaterThan(0)
  const refused = count(429)
  expect(refused).toBeLessThan(12)
  now += 61_000
  await expect
    .poll(() => new Set(backend.journal.filter(({ path }) => path.includes('public_share_link')).map(({ path }) => path)).size, {
      timeout: 60_000,
    })
    .toBeGreaterThan(10)
  now += 61_000
  await expect(page.getByRole('heading', { name: /^Links/ }).first()).toBeVisible()
  await expect(page.getByText('We could not load this')).toHaveCount(0)
})
