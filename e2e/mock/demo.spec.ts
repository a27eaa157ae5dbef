import type { Browser, Page } from '@playwright/test'
import { guidelines, runAxe } from '#e2e/axe.ts'
import { startDemoServer } from '#e2e/demo-server.ts'
import { expect, withoutWorld as test } from '#e2e/portal.ts'
import { MAX_WORLDS_PER_ADDRESS } from '#server/mock/demo/limits.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

let demo: Awaited<ReturnType<typeof startDemoServer>>
test.beforeAll(async () => {
  demo = await startDemoServer()
})
test.afterAll(() => demo.stop())
test.use({ viewport: DESK })

const barOf = (page: Page) => page.getByRole('region', { name: 'Demo' })
const dialogOf = (page: Page) => page.locator('whereabouts-demo').getByRole('dialog')
const press = (page: Page, name: string) => barOf(page).getByRole('button', { name }).click()

/** Opens a path in a fresh browser context, like a new visitor. */
async function visitor(browser: Browser, path: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(demo.origin + path)
  return page
}

/** Reads or changes the settings as the portal of this page would; resolves to the first name. */
const settings = (page: Page, change?: object) =>
  page.evaluate(async (body) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' }
    const answer = await fetch('/users/settings/', { headers, ...(body && { method: 'PATCH', body: JSON.stringify(body) }) })
    return ((await answer.json()) as { firstname: string }).firstname
  }, change)

/** Polls, because the page may still be switching personas. */
const expectName = (page: Page, name: string) => expect(async () => expect(await settings(page)).toBe(name)).toPass()

async function rename(page: Page, was: string, firstname: string) {
  await expectName(page, was)
  await settings(page, { firstname })
}

test('a visit as Alice begins with her walking dog, followed on the map, and a line of help that disappears once used or closed', async ({
  browser,
  page,
}) => {
  await page.goto(`${demo.origin}/demo`)
  await page.getByRole('link', { name: 'Alice Almeida' }).click()
  await expect(page.getByRole('article', { name: 'Rex' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'true')
  await expect(barOf(page)).toContainText('Rex is walking')
  await page.getByRole('article').getByRole('button', { name: 'Share' }).click()
  await expect(barOf(page)).not.toContainText('Rex is walking')
  const other = await visitor(browser, '/trackers/1?demo=family&as=alice')
  await barOf(other).getByRole('button', { name: 'Close this hint' }).click()
  await other.reload()
  await expect(barOf(other)).toContainText('Demo, yours for')
  await expect(barOf(other)).not.toContainText('Rex is walking')
  await other.context().close()
})

test("two visitors choose different personas and don't see each other's changes", async ({ browser, page }) => {
  await page.goto(`${demo.origin}/trackers`)
  await expect(page).toHaveURL(`${demo.origin}/demo`)
  await page.getByRole('link', { name: 'Alice Almeida' }).click()
  await expect(barOf(page)).toContainText('Demo, yours for 2 h')
  await rename(page, 'Alice', 'Alicia')
  const other = await visitor(browser, '/?demo=family&as=alice')
  await expect(barOf(other)).toBeVisible()
  await expectName(other, 'Alice')
  await expectName(page, 'Alicia')
  await other.context().close()
})

test('a link opens a page as a persona; the persona can be switched, and reset asks for confirmation', async ({ page }) => {
  await page.goto(`${demo.origin}/account?demo=family&as=alice`)
  await expect(page).toHaveURL(`${demo.origin}/account`)
  await expect(barOf(page)).toBeVisible()
  await rename(page, 'Alice', 'Alicia')
  await press(page, 'Reset')
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await expectName(page, 'Alicia')
  await press(page, 'People')
  await dialogOf(page)
    .getByRole('link', { name: /George Gardner/ })
    .click()
  await expect(barOf(page)).toBeVisible()
  await rename(page, 'George', 'Georgia')
  await press(page, 'Reset')
  await dialogOf(page).getByRole('button', { name: 'Start over' }).click()
  // A reset reloads the page, so the assertions that follow are about the new one.
  await expect(dialogOf(page)).toBeHidden()
  await expect(page).toHaveURL(`${demo.origin}/`)
  await expect(barOf(page)).toBeVisible()
  await expectName(page, 'George')
  await page.goto(`${demo.origin}/?demo=family&as=alice`)
  await expect(barOf(page)).toBeVisible()
  await expectName(page, 'Alice')
})

test('a shared state opens as a copy, on the same page', async ({ browser, page }) => {
  await page.goto(`${demo.origin}/account?demo=family&as=alice`)
  await expect(barOf(page)).toBeVisible()
  await rename(page, 'Alice', 'Alicia')
  await press(page, 'Share')
  const link = await dialogOf(page).getByLabel('Link').inputValue()
  const taker = await visitor(browser, link.slice(demo.origin.length))
  await expect(taker).toHaveURL(`${demo.origin}/account`)
  await expect(barOf(taker)).toBeVisible()
  await expectName(taker, 'Alicia')
  await taker.context().close()
})

test('a mail opens in the drawer, and its link in the same tab', async ({ page }) => {
  await page.goto(`${demo.origin}/?demo=family&as=alice`)
  await press(page, 'E-mails')
  await dialogOf(page)
    .getByRole('button', { name: /Your subscription code/ })
    .click()
  const link = page.frameLocator('iframe').getByRole('link').first()
  await link.click()
  await expect(page).toHaveURL(/\/link_subscription\?code=/)
  await expect(barOf(page)).toBeVisible()
})

test('the bar is hidden and shown by keyboard and does not cover the portal', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto(`${demo.origin}/?demo=family&as=alice`)
  const search = page.getByPlaceholder('Search').first()
  await expect(search).toBeVisible()
  const top = async () => (await page.locator('#root').boundingBox())!.y
  await expect.poll(top).toBe(44)
  const bottom = await page.locator('nav').last().boundingBox()
  expect(bottom!.y + bottom!.height).toBeLessThanOrEqual(PHONE.height)
  await barOf(page).getByRole('button', { name: 'Hide the demo bar' }).press('Enter')
  await expect(barOf(page).getByRole('button', { name: 'Show the demo bar' })).toBeFocused()
  await expect.poll(top).toBe(24)
  await page.keyboard.press('Enter')
  await expect.poll(top).toBe(44)
})

test('axe finds nothing on the start page, the bar and its dialogs, in light and dark, on desktop and phone', async ({ page }) => {
  const problems: string[] = []
  const hear = async (where: string, within?: string) => {
    const { findings, held } = await runAxe(page, guidelines, within)
    expect(held).toContain('color-contrast')
    problems.push(...findings.map(({ id, html }) => `${where} ${id}: ${html}`))
  }
  for (const colorScheme of ['light', 'dark'] as const)
    for (const size of [DESK, PHONE]) {
      const where = `${colorScheme} ${size.width}`
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      await page.goto(`${demo.origin}/demo`)
      await hear(`start ${where}`)
      await page.context().addCookies([{ name: '__world', value: 'a'.repeat(40), url: demo.origin }])
      await page.reload()
      await expect(page.getByText('Your demo has ended')).toBeVisible()
      await hear(`ended ${where}`)
      await page.goto(`${demo.origin}/account?demo=family&as=alice`)
      await expect(barOf(page)).toBeVisible()
      await hear(`bar ${where}`, 'whereabouts-demo')
      for (const name of ['E-mails', 'People', 'Share', 'Reset']) {
        await press(page, name)
        await expect(dialogOf(page)).toBeVisible()
        await hear(`${name} ${where}`, 'whereabouts-demo')
        await page.keyboard.press('Escape')
        await expect(dialogOf(page)).toHaveCount(0)
      }
    }
  expect(problems).toEqual([])
})

test('after a world has ended, the start page says so and starts another one with one click', async ({ page }) => {
  await page.context().addCookies([{ name: '__world', value: 'a'.repeat(40), url: demo.origin }])
  await page.goto(`${demo.origin}/account`)
  await expect(page).toHaveURL(`${demo.origin}/demo`)
  await expect(page.getByText('Your demo has ended. What you changed in it is gone.')).toBeVisible()
  await page.getByRole('link', { name: 'Start another' }).click()
  await expect(barOf(page)).toContainText('Demo, yours for 2 h')
})

test('when all worlds of an address are in use, the page says when to try again, and no world is removed', async ({ browser, page }) => {
  const full = await startDemoServer()
  try {
    await page.goto(`${full.origin}/account?demo=family&as=alice`)
    await expect(barOf(page)).toBeVisible()
    for (let count = 1; count < MAX_WORLDS_PER_ADDRESS; count++) await fetch(`${full.origin}/?demo=empty`, { redirect: 'manual' })
    const late = await (await browser.newContext()).newPage()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const size of [DESK, PHONE]) {
        await late.emulateMedia({ colorScheme })
        await late.setViewportSize(size)
        await late.goto(`${full.origin}/account?demo=family&as=alice`)
        await expect(late.getByRole('alert')).toContainText(/are in use.* try again in \d+\smin/)
        expect((await runAxe(late, guidelines)).findings).toEqual([])
      }
    await expectName(page, 'Alice')
    await late.getByRole('link', { name: 'Try again' }).click()
    await expect(late.getByRole('alert')).toBeVisible()
    await late.context().close()
  } finally {
    await full.stop()
  }
})
