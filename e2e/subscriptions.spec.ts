import { expect, test } from './portal.ts'

test('R-1.17 R-1.19 R-2.11 R-7.17 a plan with care is chosen, one card is declined, another pays, and the tracker is extended', async ({
  page,
  world,
  open,
}) => {
  await open('/subscriptionSelector', 'alice')
  await page.getByRole('link', { name: 'Extend: Misty' }).click()
  await expect(page.getByRole('heading', { name: 'Extend Misty' })).toBeVisible()
  await page.getByRole('radio', { name: /one-time/ }).check()
  await page.getByRole('button', { name: 'Add: Care' }).click()
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('€26.85')
  await page.getByRole('button', { name: 'Pay by card' }).click()

  await expect(page.getByText('Test payment page, no real money')).toBeVisible()
  const pay = async (number: string) => {
    await page.locator('#number').fill(number)
    await page.locator('#expiry').fill('12 / 34')
    await page.locator('#cvc').fill('123')
    await page.locator('button[type=submit], form button').first().click()
  }
  await pay('4000 0000 0000 0002')
  await expect(page.getByRole('alert')).toBeVisible()
  await pay('4242 4242 4242 4242')

  await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
  await expect(page.getByText(/Active until 14 Mar 2027/)).toBeVisible()
  const held = (await world.call('GET', '/users/subscriptions/', { as: 'alice' })) as { device: number; options: string[] }[]
  expect(held.find(({ device }) => device === 2)?.options).toEqual(['eur-care'])
})

test('R-1.18 R-2.13 a code from an e-mail links its subscription', async ({ page, open }) => {
  await open('/link_subscription?code=LINK-2026', 'alice')
  await page.getByRole('combobox', { name: /Tracker/ }).selectOption('Kitchen')
  await page.getByRole('button', { name: 'Link subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Subscription linked' })).toBeVisible()
  await expect(page.getByText(/Active until 2 Apr 2027/)).toBeVisible()
})
