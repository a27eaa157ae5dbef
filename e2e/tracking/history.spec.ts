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
  await page.getByRole('button', { name: 'Export or import' }).click()
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

test('positions that look wrong are shown on request, and one is restored and excluded again', async ({ page, open }) => {
  await open('/trackers/6/history', 'alice')
  const line = page.getByRole('button', { name: /positions look wrong/ })
  await expect(line).toHaveText(/^6 positions/)
  await line.press('Enter')
  const list = page.getByRole('list', { name: 'Positions that look wrong' })
  await expect(list.getByRole('listitem')).toHaveCount(4)
  const use = list.getByRole('button', { name: /^Include it anyway/ }).nth(1)
  expect((await use.boundingBox())?.height).toBeGreaterThanOrEqual(36)
  await use.press('Enter')
  await expect(line).toHaveText(/^5 positions/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Left out of the history again')).toBeVisible()
})

test('a flight has an altitude profile and a total climb', async ({ page, open }) => {
  await open('/trackers/5/history', 'alice')
  await expect(page.getByText('Climb', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Charts of speed, height and battery' }).click()
  await expect(page.getByRole('img', { name: /^Height: from \d+ m to \d+ m, \d+ m of climb$/ })).toBeVisible()
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', /mph · \d+ m · \d+%, /)
})
