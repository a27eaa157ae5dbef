import { expect, test } from '#e2e/portal.ts'

test('R-2.76 a newer portal is offered, can be postponed, and is loaded on request', async ({ page, open, world }) => {
  const config = (await (await page.request.get('/config.json')).json()) as { build: string }
  await page.route('**/config.json', (route) => route.fulfill({ json: config }))
  const dialog = page.getByRole('dialog', { name: 'Update available' })
  const publish = async (name: string) => {
    config.build = name
    await world.clock.advance('PT6M')
  }
  await open('/trackers', 'alice')
  await page.getByRole('link', { name: 'Places' }).click()
  await expect(page.getByRole('heading', { name: /^Places/ })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await publish('next')
  await page.getByRole('link', { name: 'Trackers', exact: true }).click()
  await dialog.getByRole('button', { name: 'Later' }).click()
  await expect(dialog).toHaveCount(0)
  await publish('the-one-after')
  await page.getByRole('link', { name: 'Places' }).click()
  const loaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await expect(page.getByRole('heading', { name: /^Places/ })).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
