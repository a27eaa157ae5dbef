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

test('an invoice with a refund and a dispute is a card on a tablet, with its date on one line', async ({ page, open, world }) => {
  const params = { id: '1' }
  await world.payments.refund({ params, body: { amount: 200 } })
  await world.payments.dispute({ params, body: {} })
  for (const width of [770, 820, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await open('/invoices', 'alice')
    const row = page.getByRole('row').filter({ hasText: 'INV-1001' })
    await expect(row.getByText('Disputed at your bank')).toBeVisible()
    for (const text of ['27 Dec 2025', 'ORD-1001', '€2.00 refunded', 'Disputed at your bank']) {
      const lines = await row.getByText(text, { exact: true }).evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
      expect(lines, `${text} at ${width} pixels`).toBe(1)
    }
  }
})
