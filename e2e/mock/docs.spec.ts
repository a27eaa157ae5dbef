import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'
import { collectRefusals, forbidOtherHosts, isOfPage } from '#e2e/problems.ts'

/** Filters by tag, because Swagger UI renders a long list while it is scrolled. It escapes the dot in an operation id with one backslash. */
async function findOperation(page: Page, tag: string, name: string) {
  await page.getByPlaceholder('Filter by tag or path').fill(tag)
  return page.locator(`[id$="${tag}-${tag}\\\\.${name}"]`)
}

test('the API reference shows requests and responses, including failures, and sends a request as a demo persona', async ({
  page,
  world,
  open,
}) => {
  // Swagger UI waits with timers, which a frozen clock would stop.
  await world.clock.set({ mode: 'flow' })
  const askedNobodyElse = forbidOtherHosts(page, world.origin)
  const refusals = await collectRefusals(page)
  await open('/docs')
  await expect(page.getByText('alice@example.com').first()).toBeVisible()
  const create = await findOperation(page, 'links', 'create')
  await create.getByRole('button', { name: /^POST/ }).first().click()
  await expect(create.locator('textarea').first()).toHaveValue(/"label": "For the vet"/)
  await expect(create.getByText('too_many_links').first()).toBeVisible()

  const signIn = await findOperation(page, 'sessions', 'signIn')
  await signIn.getByRole('button', { name: /^POST/ }).first().click()
  const answered = page.waitForResponse(/web_get_token/)
  await signIn.getByRole('button', { name: 'Execute' }).click()
  const { token } = (await (await answered).json()) as { token: string }

  await page.getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.locator('.modal-ux')
  // The other form is for API tokens.
  const form = dialog.locator('form').filter({ hasText: 'bearer (http, Bearer)' })
  await form.getByLabel('auth-bearer-value').fill(token)
  await form.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  await page.context().clearCookies()
  const list = await findOperation(page, 'devices', 'list')
  await list.getByRole('button', { name: /^GET/ }).first().click()
  await list.getByRole('button', { name: 'Execute' }).click()
  const answer = list.locator('.live-responses-table')
  await expect(answer.locator('.response-col_status').last()).toContainText('200')
  await expect(answer).toContainText('"name": "Rex"')
  askedNobodyElse()
  expect(refusals.filter(isOfPage)).toEqual([])
})
