import { createPortalConfig } from '#e2e/foreign-backend/portal-config.ts'
import { startForeignBackend } from '#e2e/foreign-backend/server.ts'
import { createToken } from '#e2e/foreign-backend/state.ts'
import { startStaticHost } from '#e2e/static-host.ts'
import { expect, test } from './journey.ts'

test('the first of a thousand trackers in slow pages are shown at once, and later all, in larger pages', async ({ page }) => {
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

test('without larger pages a list of more than a hundred pages shows how many entries are missing', async ({ page }) => {
  await using backend = await startForeignBackend('drf', { trackers: 1200 })
  await using host = await startStaticHost(createPortalConfig(backend))
  const token = createToken()
  backend.state.sessions.set(token, 1)
  const all = backend.state.trackers.filter(({ ownerId }) => ownerId === 1).length
  await page.goto(`${host.origin}/?token=${token}`)
  await expect(page.getByRole('heading', { name: 'Trackers 1000' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(`${all - 1000} entries could not be read`)).toBeVisible()
})

for (const { who, isMoved } of [
  { who: 'the map shows all of it', isMoved: false },
  { who: 'a map that the person has moved stays where it is', isMoved: true },
])
  test(`when the rest of a long list lies far from its first part, ${who}`, async ({ page }) => {
    await using backend = await startForeignBackend('offset', { trackers: 600, faults: { delayMs: isMoved ? 4000 : 2000 } })
    await using host = await startStaticHost(createPortalConfig(backend))
    const token = createToken()
    backend.state.sessions.set(token, 1)
    const own = backend.state.trackers.filter(({ ownerId }) => ownerId === 1)
    // A lost tracker joins no group.
    const [near, far] = [own.slice(0, 100), own.slice(100)].map((all) =>
      all.flatMap(({ name, position }) => (name === 'Stolen scooter' ? [] : (position ?? []))),
    )
    for (const position of far!) position.latitude -= 20
    const pin = (count: number) => page.locator('.leaflet-marker-pane').getByText(String(count), { exact: true })
    await page.goto(`${host.origin}/?token=${token}`)
    await expect(page.getByText('Loading more…')).toBeVisible()
    if (isMoved) {
      await page.locator('.leaflet-container').hover()
      const moveMap = async () => {
        await page.mouse.wheel(0, -200)
        expect(await page.evaluate(() => sessionStorage.getItem('mapView'))).not.toBeNull()
      }
      await expect(moveMap).toPass()
      await expect(page.getByText('Loading more…')).toBeVisible()
    }
    await expect(page.getByText('Loading more…')).toHaveCount(0, { timeout: 60_000 })
    await expect(page.getByRole('heading', { name: `Trackers ${own.length}` })).toBeVisible()
    if (isMoved) await expect(pin(far!.length)).not.toBeInViewport()
    else for (const { length } of [near!, far!]) await expect(pin(length)).toBeInViewport()
  })
