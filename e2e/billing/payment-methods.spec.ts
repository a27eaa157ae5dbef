import { expect, test } from '#e2e/portal.ts'

test('R-1.4 R-2.73 R-7.11 a card is added at the provider, another becomes the default, and one is deleted', async ({
  page,
  open,
  world,
}) => {
  const kept = () => world.api('alice').paymentMethods.list()
  await open('/payment_methods', 'alice')
  const card = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await page.getByRole('button', { name: 'Make default: Mastercard •••• 4444' }).click()
  await expect(card('Mastercard')).toContainText('Default card')
  await page.getByRole('button', { name: 'Delete: Mastercard •••• 4444' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('it pays for a subscription that renews automatically')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete: Visa •••• 4242' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(card('Visa')).toHaveCount(0)
  expect(await kept()).toEqual([expect.objectContaining({ last4: '4444', is_default: true })])

  await page.getByRole('button', { name: 'Add a card' }).click()
  await page.getByRole('textbox').first().fill('4242 4242 4242 4242')
  await page.getByRole('button', { name: 'Add this card' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await page.locator('a.back').click()
  await expect(page).toHaveURL(/\/payment_methods/)
  await expect(card('Default card')).toContainText('Visa •••• 4242')
  expect((await kept()).map((each) => each.is_default)).toEqual([true, false])
})
