import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-1.20 R-2.71 R-2.72 an order leads to its invoice and back', async ({ page, open }) => {
  await open('/orders', 'alice')
  await page.getByRole('link', { name: 'ORD-1001' }).click()
  await expect(page.getByRole('heading', { name: 'Order ORD-1001' })).toBeVisible()
  await page.getByRole('link', { name: 'Show invoice' }).click()
  await expect(page).toHaveURL(/\/invoices\?id=1$/)
  const saving = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Download invoice .* as PDF/ })
    .first()
    .click()
  expect((await saving).suggestedFilename()).toMatch(/^.+\.pdf$/)
  await page.getByRole('link', { name: 'ORD-1001' }).click()
  await expect(page).toHaveURL(/\/orders\/ORD-1001$/)
})

test('R-4.26 R-2.73 R-7.11 a failed invoice is paid with a card added at the provider', async ({ page, open }) => {
  await open('/payment_methods', 'bruno')
  const warning = page.getByRole('alert').filter({ hasText: 'Warning: your last invoice could not be debited' })
  await warning.getByRole('button', { name: 'Change payment method' }).click()
  await page.getByRole('textbox').first().fill('4242 4242 4242 4242')
  await page.locator('form button[type=submit]').first().click()
  await expect(page.getByRole('rowheader', { name: /^visa •••• 4242/ })).toBeVisible()
  await page.locator('a.back').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Visa •••• 4242' })).toContainText('Default card')
  await warning.getByRole('button', { name: 'Pay invoice' }).click()
  await page.getByRole('button', { name: 'Pay €14.95' }).click()
  await expect(page.getByText('Invoice INV-1012 is paid.')).toBeVisible()
  await expect(warning).toBeHidden()
})
