import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'
import { collectRefusals, isOfPage } from '#e2e/problems.ts'

const countStyles = (page: Page) => page.locator('style').count()

test('the policy allows no inline styles, and the main screens need none', async ({ page, world, open }) => {
  const refusals = await collectRefusals(page)
  const answer = await page.goto(`${world.origin}/login`)
  const policy = (await answer!.allHeaders())['content-security-policy'] ?? ''
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain('unsafe')
  await expect(page.getByRole('button', { name: 'Sign in' })).toHaveCSS('background-color', 'rgb(15, 118, 110)')
  expect(await countStyles(page)).toBe(0)
  await open('/signup')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await open('/', 'alice')
  await expect(page.getByRole('region', { name: 'Map' }).getByRole('button', { name: /City bike/ })).toBeVisible()
  await page.getByRole('link', { name: /Rex/ }).first().click()
  await expect(page.getByRole('button', { name: 'Share' }).first()).toBeVisible()
  for (const path of [
    '/trackers',
    '/places',
    '/alerts',
    '/public_links',
    '/subscriptionSelector',
    '/account',
    '/account/security',
    '/orders',
  ]) {
    await open(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect([path, await countStyles(page)]).toEqual([path, 0])
  }
  expect(refusals).toEqual([])
})

test('changing the colour scheme needs no inline style', async ({ page, open }) => {
  const refusals = await collectRefusals(page)
  await open('/account/preferences', 'alice')
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(refusals).toEqual([])
})

test('the reference of the control plane works without inline styles and loads nothing from elsewhere', async ({ page, world, open }) => {
  // Swagger UI waits with timers, which a frozen clock would stop.
  await world.clock.set({ mode: 'flow' })
  const refusals = await collectRefusals(page)
  await open('/mock/docs')
  await page.getByPlaceholder('Filter by tag or path').fill('clock')
  const operation = page.locator('.opblock-get').first()
  const execute = operation.getByRole('button', { name: 'Execute' })
  // The list is rendered again while it is filtered, which loses a click.
  await expect(async () => {
    if (!(await execute.isVisible())) await operation.locator('.opblock-summary-control').click()
    await expect(execute).toBeVisible({ timeout: 2000 })
  }).toPass()
  await execute.click()
  await expect(operation.locator('.live-responses-table .response-col_status').last()).toContainText(/\d{3}/)
  expect(refusals.filter(isOfPage)).toEqual([])
})

test('a violation of the policy would be detected', async ({ page, open }) => {
  const refusals = await collectRefusals(page)
  await open('/login')
  await page.evaluate(() => document.head.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' })))
  await expect.poll(() => refusals).toEqual([expect.stringContaining('/login: style-src-elem inline')])
})
