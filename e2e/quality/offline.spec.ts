import { expect, test } from '#e2e/portal.ts'
import { forbidOtherHosts } from '#e2e/problems.ts'

test.use({ serviceWorkers: 'allow' })

test('an offline portal says so and shows its stored data; started offline, it explains why and recovers by itself', async ({
  page,
  context,
  open,
  world,
}) => {
  const onlyHere = forbidOtherHosts(page, world.origin)
  await open('/trackers', 'alice')
  const rex = page.getByRole('link', { name: /Rex/ }).first()
  await expect(rex).toBeVisible()
  const keptPaths = () =>
    page.evaluate(async () => {
      const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
      const keys = await Promise.all(stores.map((store) => store.keys()))
      return keys.flat().map(({ url }) => new URL(url).pathname)
    })
  await expect.poll(keptPaths, { timeout: 40_000 }).toContain('/config.json')
  expect((await keptPaths()).filter((path) => !/^\/(assets\/[\w.-]+|config\.json)?$/.test(path))).toEqual([])

  await context.setOffline(true)
  await expect(page.getByText(/^Offline – shown as of \d/)).toBeVisible()
  await expect(rex).toBeVisible()
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Trackers' })).toBeVisible()
  await expect(page.getByText(/^Offline – shown as of \d/)).toBeVisible()

  await page.reload()
  // Chromium's offline mode is lost on a reload; then the trackers of the last visit stay, marked with their time.
  await expect(page.getByRole('heading', { name: 'You are offline' }).or(page.getByText(/^Last known: /))).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Rex').first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(/^(Offline|Last known)/)).toHaveCount(0, { timeout: 30_000 })
  onlyHere()
})
