import { readFileSync } from 'node:fs'
import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-1.13 R-2.42 R-2.44 R-2.47 a theft is reported and followed, the form saved, lost mode sent, the report closed', async ({
  page,
  open,
  world,
}) => {
  await open('/trackers/1', 'alice')
  await page.getByRole('article', { name: 'Rex' }).getByRole('link', { name: 'Theft file' }).click()
  await page.getByLabel(/^Date and time/).fill('2026-03-01T20:15')
  await page.getByLabel(/^Place of the theft/).fill('Rambla 12')
  await page.getByLabel(/^What happened/).fill('Taken from the yard')
  await page.getByRole('button', { name: 'Report the theft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on lost mode' }).click()
  await expect(page.getByRole('region', { name: 'Lost mode' })).toContainText('Settings sending')
  await expect(page.getByText('Report open', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel(/^Police reference/).fill('B-77')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('B-77')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('Report opened')
  const locate = page.getByRole('region', { name: 'Locate the asset' })
  await expect(locate.getByRole('button', { name: 'Rex' })).toBeVisible()
  await expect(locate.getByText(/^Updated/)).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the theft form' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('theft_form_1.pdf')
  expect(
    readFileSync(await saved.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  await page.getByRole('button', { name: 'Close the report' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Found, close the report' }).click()
  await expect(page.getByRole('button', { name: 'Report another theft' })).toBeVisible()
  expect(await world.api('alice').theft.read({ params: { id: 1 } })).toMatchObject({
    status: 'closed',
    police_reference: 'B-77',
  })
  await world.clock.advance('PT4H')
  await expect(page.getByRole('region', { name: 'Lost mode' })).toContainText('Lost mode is on.')
  expect(await world.api('alice').devices.config({ params: { id: 1 } })).toMatchObject({ mode: 27, pending_mode: null })
})

test('R-2.45 R-2.46 radar and boost open in an app that supports them; elsewhere the portal boosts and the radar says where it is', async ({
  page,
  open,
}) => {
  await open('/app/theft_file?id=11', 'alice')
  const radar = page.getByRole('region', { name: 'Proximity radar' })
  const boost = page.getByRole('region', { name: 'Real-time boost' })
  await expect(radar).toContainText('about 20 metres')
  await expect(boost).toContainText('every 30 seconds')
  await expect(radar.getByRole('button')).toBeDisabled()
  await expect(radar).toContainText('Available in the mobile app')
  await expect(boost.getByRole('button', { name: 'Start boost' })).toBeEnabled()
  await open('/app/theft_file?id=11&native_app=1&deeplink=3', 'alice')
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toHaveCount(0)
  await radar.getByRole('link', { name: 'Open the radar' }).click()
  await expect(page).toHaveURL(/\/app\/native\/findmy$/)
  await page.goBack()
  await boost.getByRole('link', { name: 'Open real-time boost' }).click()
  await expect(page).toHaveURL(/\/app\/native\/rtb$/)
})

test('R-4.33 a boost is started for a quarter of an hour and ended early', async ({ page, open, world }) => {
  const boostOf = async () => (await world.api('alice').devices.config({ params: { id: 2 } })).boost_until
  await open('/trackers/2', 'alice')
  const card = page.getByRole('article', { name: 'Misty' })
  await card.getByRole('button', { name: 'Boost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Real-time boost' })
  await dialog.getByRole('button', { name: 'Start boost' }).click()
  await expect(dialog.getByText('Boost is on until 10:15')).toBeVisible()
  expect(await boostOf()).toBe('2026-03-02T09:15:00Z')
  await dialog.getByRole('button', { name: 'End boost' }).click()
  await expect(dialog.getByRole('button', { name: 'Start boost' })).toBeVisible()
  expect(await boostOf()).toBeNull()
})
