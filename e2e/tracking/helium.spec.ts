import { expect, test } from '#e2e/portal.ts'

test('R-2.24 an operator sees the trackers on Helium, a consumer the way to a pro account', async ({ page, open, world }) => {
  await open('/operators/helium/', 'admin')
  const table = page.getByRole('table', { name: 'Helium operator' })
  const all = await world.api('admin').devices.list({ query: { type: 'tracker' } })
  const names = all.filter(({ operator }) => operator === 'helium').map(({ name }) => name)
  await expect(table.getByRole('link')).toHaveText(names)
  await expect(table).toContainText('Network active')
  await expect(page.getByRole('link', { name: 'Contact support' })).toHaveCount(0)
  await table.getByRole('link').first().click()
  await expect(page.getByRole('article', { name: names[0]! })).toBeVisible()
  await open('/operators/helium', 'dario')
  await expect(page.getByText('No Helium tracker')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', /^mailto:/)
})
