import { readFile } from 'node:fs/promises'
import { expect, test } from '#e2e/portal.ts'

test('R-1.8 R-2.59 a day is replayed on the map', async ({ page, open }) => {
  await open('/trackers/1/history', 'alice')
  const slider = page.getByRole('slider').first()
  await expect(slider).toBeVisible()
  const before = await slider.inputValue()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => slider.inputValue()).not.toBe(before)
  await page.getByRole('button', { name: 'Pause' }).click()
})

test('R-1.14 a day is downloaded as csv', async ({ page, open }) => {
  await open('/trackers/1/history', 'alice')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export csv' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^Rex_.*\.csv$/)
  const text = await readFile((await download.path())!, 'utf8')
  expect(text.startsWith('\uFEFFdatetime,latitude,longitude,precision,address,event,battery\r\n')).toBe(true)
  expect(text.split('\r\n').length).toBeGreaterThan(20)
})

test('R-8.25 a day without data says so, and the map stays', async ({ page, open }) => {
  await open('/trackers/18/history', 'alice')
  await expect(page.getByText('No data for this period')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Map' })).toBeVisible()
})
