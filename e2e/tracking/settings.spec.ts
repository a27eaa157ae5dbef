import { expect, test } from '#e2e/portal.ts'

test("R-2.75 R-4.3 a requested level is pending until the tracker's next message", async ({ page, open, world }) => {
  const config = () => world.api('alice').devices.config({ params: { id: 2 } })
  await open('/trackers/2', 'alice')
  await page.getByRole('link', { name: 'Tracker settings' }).click()
  const mode = page.getByRole('region', { name: 'Mode' })
  await mode.getByRole('radio', { name: /^Intense/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(mode.getByRole('status')).toContainText('Settings sending')
  expect(await config()).toMatchObject({ mode: 23, pending_mode: 22 })
  await world.clock.advance('PT4H')
  await expect(mode.getByRole('status')).toHaveCount(0)
  await expect(mode.getByRole('radio', { name: /^Intense/ })).toBeChecked()
  expect(await config()).toMatchObject({ mode: 22, pending_mode: null })
})

test('R-2.33 R-4.9 the network of a silent tracker is reactivated', async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('link', { name: /Its network is deactivated/ }).click()
  await page.getByRole('button', { name: 'Activate the network' }).click()
  await expect(page.getByRole('heading', { name: 'The network is active again' })).toBeVisible()
})
