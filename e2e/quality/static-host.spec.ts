import { expect, test } from '#e2e/portal.ts'
import { choosePorts } from '#e2e/ports.ts'
import { startStaticHost } from '#e2e/static-host.ts'

/** playwright.config.ts allows this origin in CORS_ORIGINS. */
const { staticHost: PORT } = await choosePorts()
test('R-7.23 the same build on a static host talks to the backend that its config.json names', async ({ page, world, baseURL }) => {
  const tiles = { url: `${baseURL}/mock/tiles/{z}/{x}/{y}.svg?theme={theme}`, attribution: '© OpenStreetMap contributors', maxZoom: 19 }
  await using host = await startStaticHost(
    {
      apiBaseUrl: `${baseURL}/`,
      productName: 'Elsewhere',
      supportEmail: 'help@example.com',
      tiles,
      build: 'b1',
    },
    PORT,
  )
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.setExtraHTTPHeaders({ 'x-world': world.id })
  await page.goto(`${host.origin}/trackers?token=${world.persona('alice').token}`)
  await expect(page.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
  await expect(page).toHaveTitle('Elsewhere - Trackers')
  await expect(page.locator('style')).toHaveCount(0) // This host's policy allows no inline styles.
  expect(asked).toContain(`${baseURL}/devices/?type=tracker`)
  expect(asked.filter((url) => url.replace('://', '').includes('//'))).toEqual([])
  await page.evaluate(() => localStorage.setItem('token', '0'.repeat(40)))
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/) // With CORS headers an error is a response, not a network failure.
})
