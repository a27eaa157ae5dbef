import { createPortalConfig } from '#e2e/foreign-backend/portal-config.ts'
import { startForeignBackend } from '#e2e/foreign-backend/server.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { startStaticHost } from '#e2e/static-host.ts'
import { expect, test } from './journey.ts'

test('of a thousand trackers in slow pages the first are shown at once, and then all, in larger pages', async ({ page }) => {
  await using backend = await startForeignBackend('offset', { trackers: 1000, faults: { delayMs: 400 } })
  await using host = await startStaticHost(createPortalConfig(backend))
  const token = createToken()
  backend.state.sessions.set(token, 1)
  const all = backend.state.trackers.filter(({ ownerId }) => ownerId === 1).length
  await page.goto(`${host.origin}/?token=${token}`)
  await expect(page.getByRole('heading', { name: /^Trackers \d+$/ })).toBeVisible()
  await expect(page.getByText('Loading more…')).toBeVisible()
  await expect(page.getByRole('heading', { name: `Trackers ${all}` })).toBeVisible()
  await expect(page.getByText('Loading more…')).toHaveCount(0)
  const lists = backend.journal.filter(({ path }) => path.includes('devices/?'))
  expect(lists.length).toBeLessThanOrEqual(2 + Math.ceil(all / backend.habits.largestPage))
})

test('without larger pages a list of more than a hundred pages says how many entries are missing', async ({ page }) => {
  await using backend = await startForeignBackend('drf', { trackers: 1200 })
  await using host = await startStaticHost(createPortalConfig(backend))
  const token = createToken()
  backend.state.sessions.set(token, 1)
  const all = backend.state.trackers.filter(({ ownerId }) => ownerId === 1).length
  await page.goto(`${host.origin}/?token=${token}`)
  await expect(page.getByRole('heading', { name: 'Trackers 1000' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(`${all - 1000} entries could not be read`)).toBeVisible()
})
