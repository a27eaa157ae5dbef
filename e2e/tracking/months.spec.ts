import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

async function download(page: Page, button: string) {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await waiting
  return { name: file.suggestedFilename(), bytes: await readFile((await file.path())!) }
}

test('D-76 a favourite route leads to its last trip, whose day is saved as a film', async ({ page, open }) => {
  await open('/trackers/1/months', 'alice')
  await page.getByRole('region', { name: 'Favourite routes' }).getByRole('link').first().click()
  await expect(page.getByRole('list', { name: 'Stops and trips' }).getByRole('button', { pressed: true })).toHaveText(/Walk/)
  await page.getByRole('button', { name: 'Save as a film' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as a film' })
  await dialog.getByRole('radio', { name: /^10/ }).press('Space')
  await dialog.getByRole('button', { name: 'Make the film' }).click()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await expect(dialog.getByText('The film is ready.')).toBeVisible({ timeout: 60_000 })
  const { name, bytes } = await download(page, 'Save film')
  expect(name).toBe('Rex_2026-03-02.webm')
  // The signature of a Matroska or WebM file; a film with the map is larger than one with only its texts.
  expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3')
  expect(bytes.length).toBeGreaterThan(100_000)
})

test('the review of a year is saved as a picture', async ({ page, open }) => {
  await open('/trackers/1/months', 'alice')
  await page.getByRole('link', { name: 'Year in review' }).click()
  await expect(page.getByRole('heading', { name: 'Rex in 2026' })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Rex in 2026: / })).toBeVisible()
  const { name, bytes } = await download(page, 'Save picture')
  expect(name).toBe('Rex in 2026.png')
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1080, 1350])
})
