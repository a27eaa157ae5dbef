import { expect, test } from './portal.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('R-1.5 on a phone the map fills the screen, tabs are below, targets are large enough', async ({ page, open }) => {
  await open('/', 'alice')
  const tabs = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(tabs).toBeVisible()
  const box = (await tabs.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(844.5)
  expect(box.width).toBeGreaterThan(380)
  for (const link of await tabs.getByRole('link').all()) {
    const { height, width } = (await link.boundingBox())!
    expect(Math.min(height, width)).toBeGreaterThanOrEqual(44)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a tracker is chosen by touch and its card comes from below', async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('link', { name: /^Spare tracker/ }).tap()
  await expect(page).toHaveURL(/\/trackers\/8$/)
  await expect(page.getByRole('heading', { name: 'Spare tracker' })).toBeVisible()
})
