import { expect, test } from '#e2e/portal.ts'

test('a declined card buys nothing, another one does', async ({ page, open, world }) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  // The page stands at the checkout; a card is named by what comes of it, or by its number.
  expect(await world.pay.complete('declined')).toMatchObject({ outcome: 'refused' })
  await world.pay.complete('success')
  await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
  // The API as Alice, with the types of its contract.
  expect(await world.api('alice').subscriptions.list()).toContainEqual(
    expect.objectContaining({ device: 2, sub_end_date: expect.stringMatching(/^2027-03-14/) }),
  )
})
