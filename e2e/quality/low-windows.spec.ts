import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'
import { inSize } from '#e2e/show.ts'

/** A window of 1280 pixels at a zoom of 200 %, and a phone in landscape. */
const LOW = [
  { width: 640, height: 400 },
  { width: 844, height: 390 },
]

/** Returns the controls that are partly outside the window or covered. */
const hidden = (controls: Locator) =>
  controls.evaluateAll((all) =>
    all
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect()
        const [middle, centre] = [(left + right) / 2, (top + bottom) / 2]
        const edges = [
          [left + 2, centre],
          [right - 2, centre],
          [middle, top + 2],
          [middle, bottom - 2],
        ] as const
        return !edges.every(([x, y]) => control.contains(document.elementFromPoint(x, y)))
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent),
  )

/** Controls over a map: tools, search, legend, live badge and credit. */
const floating = (page: Page) =>
  page.getByRole('main').locator('button[class*=tool], search, [class*=legend], [class*=badge], a[class*=credit]')

test.describe('low windows', () => {
  test.use({ viewport: LOW[0] })

  for (const path of ['/', '/trackers/1', '/trackers/1/history'])
    test(`R-1.5 in a low window nothing on the map of ${path} is covered`, async ({ page, open }) => {
      await open(path, 'alice')
      for (const size of LOW) {
        await inSize(page, size)
        await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible()
        expect(await floating(page).count()).toBeGreaterThanOrEqual(5)
        await expect.poll(() => hidden(floating(page)), { message: `hidden at ${size.width} × ${size.height}` }).toEqual([])
      }
    })

  test('in a low window the button of a dialog stays visible, away from its edge, while the rest scrolls', async ({ page, open }) => {
    await open('/trackers/2', 'alice')
    await page.getByRole('button', { name: 'Share' }).click()
    const create = page.getByRole('button', { name: 'Create link' })
    const edge = async () => {
      const [dialog, button] = [await page.getByRole('dialog').boundingBox(), await create.boundingBox()]
      return dialog!.y + dialog!.height - button!.y - button!.height
    }
    for (const size of LOW) {
      await inSize(page, size)
      await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTo(0, 0))
      await expect(create).toBeInViewport({ ratio: 1 })
      expect(await edge()).toBeGreaterThanOrEqual(16)
      await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight))
      expect(await hidden(create)).toEqual([])
      expect(await edge()).toBeGreaterThanOrEqual(16)
    }
  })
})

test('on a phone in landscape signing out stays visible, however long the account menu is', async ({ page, open }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await open('/trackers', 'admin')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  const out = page.getByRole('link', { name: 'Log out' })
  await expect(out).toBeInViewport({ ratio: 1 })
  expect(await hidden(out)).toEqual([])
  const last = page.getByRole('button', { name: 'Keyboard shortcuts' })
  // Entries of the menu that arrive later move the last one.
  await expect(async () => {
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport({ ratio: 1, timeout: 1000 })
  }).toPass()
  expect(await hidden(out)).toEqual([])
})

test('charts on a low phone cover no tool', async ({ page, open }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await open('/trackers/1/history', 'alice')
  const tool = page.getByRole('button', { name: 'Zoom in' })
  await expect(tool).toBeVisible()
  await page.getByRole('button', { name: 'Charts' }).click()
  await expect(tool).toBeHidden()
  await expect.poll(() => hidden(floating(page).filter({ visible: true }))).toEqual([])
})

test('on a low phone the day can be changed next to the map, and the player is one row', async ({ page, open }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await open('/trackers/1/history', 'alice')
  const sheet = page.getByRole('region', { name: 'History' })
  await expect(sheet.getByRole('button', { name: 'Previous day' })).toBeInViewport({ ratio: 1 })
  const player = page.getByRole('region', { name: 'Replay' })
  expect((await player.boundingBox())!.height).toBeLessThan(80)
})

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
]

test('in windows of five sizes no action of a tracker is cut, and Back closes its dialog', async ({ page, open }) => {
  await page.setViewportSize(SIZES[0]!)
  await open('/trackers/1', 'alice')
  const card = page.getByRole('article', { name: 'Rex' })
  const labels = card.locator('a, button').filter({ hasText: /^(History|Share|Boost|Mark as lost|Mode)$/ })
  for (const size of SIZES) {
    const at = `at ${size.width} × ${size.height}`
    await inSize(page, size)
    await expect(labels, at).toHaveCount(5)
    const findCut = () => labels.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
    await expect.poll(findCut, { message: `cut ${at}` }).toEqual([])
    await card.getByRole('button', { name: 'Share' }).click()
    await expect(page.getByRole('dialog'), at).toBeVisible()
    await expect(page).toHaveURL(/\?sheet=share$/)
    await page.goBack()
    await expect(page.getByRole('dialog'), at).toHaveCount(0)
    await expect(page).toHaveURL(/\/trackers\/1$/)
    await expect(card, at).toBeVisible()
  }
})

test('a long page without a menu scrolls above the links at its end, and the window does not', async ({ page, open }) => {
  await open('/dev/ui')
  await expect(page.getByRole('contentinfo')).toBeInViewport({ ratio: 1 })
  expect(await page.locator('#content').evaluate(({ scrollHeight, clientHeight }) => scrollHeight > 2 * clientHeight)).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
})
