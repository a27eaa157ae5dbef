import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

const SIZE = 5000
/** The number of elements of a page, however many trackers there are. */
const MAX_NODES = 3000

test.use({ scenario: 'crowd', size: SIZE })

const countNodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

test('R-4.18 in a fleet of 5,000 a tracker is found, chosen and seen moving on a page of few elements', async ({ page, open, world }) => {
  await open('/', 'admin')
  await expect(page.getByRole('heading', { name: `Trackers ${SIZE}` })).toBeVisible()
  const list = page.getByRole('region', { name: 'List of trackers' })
  // One group is unused, and collapsed.
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(SIZE - 1))
  await expect(page.getByRole('button', { name: /^\d+ trackers here\. / }).first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Live view' })).toHaveText('Live')
  expect(await countNodes(page)).toBeLessThan(MAX_NODES)

  await page.keyboard.press('Control+f')
  await page.keyboard.type('rex 1206')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: /^Rex 1206/ }).click()
  await expect(page.getByRole('article', { name: 'Rex 1206' })).toBeVisible()
  await page.getByRole('textbox', { name: /^Search/ }).fill('')
  const row = list.getByRole('link', { name: /^Rex 1206/ })
  await expect(row).toBeInViewport()
  await expect(row).toHaveAttribute('aria-current', 'true')

  await watchRows(page)
  await untilListRests(page)
  await world.sim.position({ params: { id: 2206 }, body: { lat: -34.8735, lng: -56.1221 } })
  await expect.poll(() => readChangedRows(page)).toEqual(['Rex 1206'])
  expect(await countNodes(page)).toBeLessThan(MAX_NODES)
})

test('the table of 5,000 trackers draws the rows in view, keeps the focus while scrolling, and sorts', async ({ page, open }) => {
  await open('/trackers', 'admin')
  const table = page.getByRole('table')
  await expect(table).toHaveAttribute('aria-rowcount', String(SIZE + 1))
  await table.getByRole('button', { name: 'Name' }).click()
  await expect(table.getByRole('rowheader').first()).toContainText('Cessna 10')
  await expect(table.locator('tr[aria-rowindex="2"]')).toBeVisible()
  expect(await countNodes(page)).toBeLessThan(MAX_NODES)
  const first = table.locator('tr[aria-rowindex="2"]').getByRole('link')
  await first.focus()
  await page.mouse.move(640, 500)
  await page.mouse.wheel(0, 150_000)
  await expect.poll(() => readMiddleRow(page)).toBeGreaterThan(2000)
  expect(await countNodes(page)).toBeLessThan(MAX_NODES)
  await expect(first).toBeFocused()
  // The tick of the row comes after its link.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(table.locator('tr[aria-rowindex="3"]').getByRole('link')).toBeFocused()
  await expect(table.locator('tr[aria-rowindex="3"]')).toBeInViewport()
})

/** Collects the names of the list's rows in which anything changes from now on. */
const watchRows = (page: Page) =>
  page.evaluate(() => {
    const changed = new Set<string>()
    const list = document.querySelector('li[aria-posinset]')!.parentElement!
    new MutationObserver((mutations) => {
      for (const { target } of mutations) {
        const row = target.parentElement?.closest('li')
        changed.add(row?.querySelector('b')?.textContent ?? 'the list')
      }
    }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true })
    Object.assign(window, { changedRows: changed })
  })

/** The rows that scrolling to the chosen one adds are measured a moment later. */
const untilListRests = (page: Page) =>
  page.evaluate(async () => {
    const { changedRows } = window as unknown as { changedRows: Set<string> }
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let rest = 0; rest < 10; rest++) {
      if (changedRows.size > 0) rest = 0
      changedRows.clear()
      await nextFrame()
    }
  })

const readChangedRows = (page: Page) => page.evaluate(() => [...(window as unknown as { changedRows: Set<string> }).changedRows])

/** The number of the table row in the middle of the window; 0 for none. */
const readMiddleRow = (page: Page) =>
  page.evaluate(() => {
    const row = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('tr')
    return Number(row?.getAttribute('aria-rowindex') ?? 0)
  })
