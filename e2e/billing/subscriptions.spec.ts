import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

/** Fills in a card on the provider's page and submits it. */
async function typeCard(page: Page, number: string, button: string) {
  await page.getByLabel('Card number').fill(number)
  await page.getByRole('button', { name: button }).click()
}

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
  await typeCard(page, '4000 0000 0000 0002', 'Pay €26.85')
  await expect(page.getByRole('alert')).toBeVisible()
  await typeCard(page, '4242 4242 4242 4242', 'Pay €26.85')

  await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
  await expect(page.getByText(/Active until 14 Mar 2027/)).toBeVisible()
  const held = await world.api('alice').subscriptions.list()
  expect(held.find(({ device }) => device === 2)?.options).toEqual(['eur-care'])
})

test('R-7.17 a backend that returns no checkout address is paid through the older Stripe.js, and the payment leads back', async ({
  page,
  world,
  open,
}) => {
  const config = await (await page.request.get('/config.json')).json()
  await page.route('**/config.json', (route) => route.fulfill({ json: { ...config, payments: { stripeJs: '/mock/stripe/stripe.js' } } }))
  await page.route('**/users/payment_session/', async (route) => {
    const { public_key, id } = await world.api('alice').subscriptions.pay({ body: route.request().postDataJSON() })
    await route.fulfill({ json: { public_key, id } })
  })
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await expect(page.getByText('Test payment page, no real money')).toBeVisible()
  await typeCard(page, '4242 4242 4242 4242', 'Pay €16.95')
  await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
})

test.describe('in a world of few trackers, whose months pass sooner', () => {
  test.use({ scenario: 'billing_trouble' })

  test('R-1.17 R-1.19 R-4.18 R-4.26 R-2.73 a subscription is declined, bought, renewed, failed, paid and ended', async ({
    page,
    world,
    open,
  }) => {
    // Three months pass in which no tracker reports anything.
    await world.sim.set({ body: { is_running: false } })
    const row = page.getByRole('listitem').filter({ hasText: 'Land Rover' }).first()
    const warning = page.getByRole('alert').filter({ hasText: 'Warning: your last invoice could not be debited' })
    const statuses = () => page.getByRole('table').getByText(/^(Paid|Payment failed|Open)$/)

    await test.step('a declined card buys nothing, another card pays', async () => {
      await open('/subscriptionSelector', 'george')
      await expect(row).toContainText('Ended on')
      await row.getByRole('link', { name: 'Renew: Land Rover' }).click()
      await page.getByRole('radio', { name: /^1 month/ }).check()
      await page.getByRole('button', { name: 'Pay by card' }).click()
      await typeCard(page, '4000 0000 0000 0002', 'Pay £1.79')
      await expect(page.getByRole('alert')).toHaveText('The card was declined. Try another one.')
      await typeCard(page, '4242 4242 4242 4242', 'Pay £1.79')
      await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible()
      await expect(page.getByText('Renews on 2 Apr 2026')).toBeVisible()
    })

    await test.step('a month later the subscription has renewed', async () => {
      await world.clock.advance('P31DT2H')
      await open('/invoices', 'george') // Sessions last less than a month.
      await expect(statuses()).toHaveText(['Paid', 'Paid'])
      await expect(warning).toBeHidden()
      await open('/subscriptionSelector')
      await expect(row).toContainText('Renews on 2 May 2026')
    })

    await test.step('in the next month the charge of another card fails', async () => {
      await open('/payment_methods')
      await page.getByRole('button', { name: 'Add a card' }).click()
      await typeCard(page, '4000 0000 0000 0341', 'Add this card')
      await page.getByRole('link', { name: 'Back to the portal' }).click()
      await expect(page.getByRole('main').getByRole('listitem').first()).toContainText(/0341.*Default card/)
      await world.clock.advance('P30D')
      await open('/', 'george')
      await expect(warning).toBeVisible()
    })

    await test.step("the invoice is paid on the provider's page with a bank check", async () => {
      await warning.getByRole('button', { name: 'Pay invoice' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Pay £1.79' }).click()
      await expect(dialog.getByRole('alert').first()).toContainText('The payment failed')
      await dialog.getByRole('button', { name: 'Pay on the card provider’s page' }).click()
      await typeCard(page, '4000 0027 6000 3184', 'Pay £1.79')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText('This invoice is paid.')).toBeVisible()
      await page.getByRole('link', { name: 'Back to the portal' }).click()
      await expect(statuses()).toHaveText(['Paid', 'Paid', 'Paid'])
      await expect(warning).toBeHidden()
    })

    await test.step('the renewal is cancelled, resumed and cancelled again', async () => {
      await open('/subscriptionSelector')
      const stop = async () => {
        await row.getByRole('button', { name: 'Stop renewing: Land Rover' }).click()
        const dialog = page.getByRole('dialog')
        await expect(dialog).toContainText(/Land Rover Active until 2 Jun 2026/)
        await dialog.getByRole('button', { name: 'Stop renewing' }).click()
        await expect(dialog).toBeHidden()
        await expect(row).toContainText('Active until 2 Jun 2026')
      }
      await stop()
      await row.getByRole('button', { name: 'Keep renewing: Land Rover' }).click()
      await expect(row).toContainText('Renews on 2 Jun 2026')
      await stop()
      await world.clock.advance('P31D')
      await open('/subscriptionSelector', 'george')
      await expect(row).toContainText('Ended on 2 Jun 2026')
      await expect(row.getByRole('link', { name: 'Renew: Land Rover' })).toBeVisible()
      await open('/invoices')
      await expect(statuses()).toHaveCount(3)
    })
  })
})

test('R-1.18 R-2.13 a code from an e-mail links its subscription', async ({ page, open }) => {
  await open('/link_subscription?code=LINK-2026', 'alice')
  await page.getByRole('combobox', { name: /Tracker/ }).selectOption('Kitchen')
  await page.getByRole('button', { name: 'Link subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Subscription linked' })).toBeVisible()
  await expect(page.getByText(/Active until 2 Apr 2027/)).toBeVisible()
})

test('R-9.18 a care plan pays half of a replacement, from the claim in the settings to the order', async ({ page, open }) => {
  await open('/trackers/4/settings', 'alice')
  const plan = page.getByRole('region', { name: 'Care plan' })
  await plan.getByRole('button', { name: 'Use your care plan' }).click()
  await plan.getByRole('combobox', { name: 'Why do you need a replacement?' }).selectOption('It is lost')
  await plan.getByRole('textbox', { name: 'What happened' }).fill('Fell into the river')
  await plan.getByRole('textbox', { name: 'Delivery address' }).fill('Alice Almeida, Rambla 1, 11300 Montevideo, Uruguay')
  await plan.getByRole('button', { name: 'Continue to payment' }).click()
  await typeCard(page, '4242 4242 4242 4242', 'Pay €24.95')
  await expect(plan.getByText('Your replacement is ordered.')).toBeVisible()
  await plan.getByRole('link', { name: /^Order ORD-/ }).click()
  await expect(page.getByRole('table')).toContainText('replacement – Family car')
})
