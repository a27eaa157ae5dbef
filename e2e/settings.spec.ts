import { expect, test } from './portal.ts'

test('R-2.75 R-4.3 a level is asked for and stays on its way until the tracker speaks', async ({ page, open, world }) => {
  await open('/trackers/2', 'alice')
  await page.getByRole('link', { name: 'Tracker settings' }).click()
  const mode = page.getByRole('region', { name: 'Mode' })
  await mode.getByRole('radio', { name: /^Intense/ }).check()
  await mode.getByRole('button', { name: 'Use this mode' }).click()
  await expect(mode.getByRole('status')).toContainText('Settings sending')
  expect(await world.call('GET', '/devices/2/tracker_config/', { as: 'alice' })).toMatchObject({ mode: 23, pending_mode: 22 })
})

test('R-2.25 R-4.32 the configurable mode is judged on each keystroke', async ({ page, open }) => {
  await open('/trackers/10/settings', 'alice')
  await page.getByRole('link', { name: /^Configurable mode/ }).click()
  const frequency = page.getByRole('textbox', { name: /^Minutes between two reports/ })
  await expect(frequency).toHaveValue('60')
  await frequency.fill('181')
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await frequency.fill('180')
  await expect(page.getByText('68 to 111 months')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings sending')).toBeVisible()
})

test('R-2.33 R-4.9 a silent tracker is put back on the network', async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('link', { name: /Its network is deactivated/ }).click()
  await page.getByRole('button', { name: 'Activate the network' }).click()
  await expect(page.getByRole('heading', { name: 'The network is active again' })).toBeVisible()
})
