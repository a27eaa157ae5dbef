import { readFileSync } from 'node:fs'
import { expect, test } from './portal.ts'

test('R-1.4 R-1.13 R-2.47 a theft is reported, the form saved, lost mode sent, the report closed', async ({ page, open, world }) => {
  await open('/trackers/1', 'alice')
  await page.getByRole('article', { name: 'Rex' }).getByRole('link', { name: 'Theft file' }).click()
  await page.getByLabel(/^Date and time/).fill('2026-03-01T20:15')
  await page.getByLabel(/^Place of the theft/).fill('Rambla 12')
  await page.getByLabel(/^What happened/).fill('Taken from the yard')
  await page.getByRole('button', { name: 'Report the theft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on lost mode' }).click()
  await expect(page.getByRole('region', { name: 'Lost mode' })).toContainText('Settings sending')
  await expect(page.getByText('Report open', { exact: true })).toBeVisible()
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
  expect(await world.call('GET', '/devices/1/theft_report/', { as: 'alice' })).toMatchObject({ status: 'closed' })
})
