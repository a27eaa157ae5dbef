import { expect, test } from 'whereabouts/playwright'

test('a declined card buys nothing, another card pays', async ({ page, open, world }) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  // The page shows the checkout. A test card is chosen by its outcome or by its number.
  expect(await world.pay.complete('declined')).toMatchObject({ outcome: 'refused' })
  await world.pay.complete('success')
  await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
  // A typed client of the API, signed in as Alice.
  expect(await world.api('alice').subscriptions.list()).toContainEqual(
    expect.objectContaining({ device: 2, sub_end_date: expect.stringMatching(/^2027-03-14/) }),
  )
})
