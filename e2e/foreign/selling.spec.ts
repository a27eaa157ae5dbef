import { writeId } from '#e2e/foreign-backend/present.ts'
import { EVERY, expect, findTracker, over, replaceCardProvider, test } from './journey.ts'

over(EVERY, 'a plan is bought at the card provider, and the way back leads to it', async ({ page, open, portal, backend }) => {
  const told: string[] = []
  page.on('console', (message) => told.push(message.text()))
  await replaceCardProvider(page)
  await open('/subscriptionSelector')
  await page.getByRole('link', { name: 'Renew: Boat' }).click()
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await expect(page.getByRole('heading', { name: 'Card' })).toBeVisible()
  const [payment] = [...backend.state.payments.values()]
  expect(page.url()).toContain(payment?.id)
  expect(payment).toMatchObject({ trackerId: findTracker(backend, 'Boat').id, months: 1 })
  expect(told.filter((each) => each.includes('https://js.stripe.com/basil/stripe.js'))).toHaveLength(1)

  await fetch(new URL('webhooks/card-provider/', backend.baseUrl), { method: 'POST', body: JSON.stringify({ id: payment?.id }) })
  const device = encodeURIComponent(writeId(findTracker(backend, 'Boat'), backend.habits))
  await page.goto(`${portal}/subscription?checkout=success&before=&devices=${device}`)
  await expect(page.getByText(/There is no need to pay again/)).toBeVisible()
  await page.getByRole('link', { name: 'Plans' }).last().click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Boat' })).toContainText(/Active until|Renews on/)
})

for (const prices of ['stripe', 'document', 'flat', 'expanded'] as const) {
  test.describe(`prices in the form ${prices}`, () => {
    test.use({ habits: { prices } })
    test(`the plans are offered in the only currency of the prices, with prices in the form ${prices}`, async ({ page, open, backend }) => {
      await open(`/subscription?devices=${writeId(findTracker(backend, 'Boat'), backend.habits)}`)
      const plan = (name: RegExp) => page.locator('label').filter({ has: page.getByRole('radio', { name }) })
      await expect(plan(/^1 month/)).toContainText(/monthly.*€5\.99/)
      await expect(plan(/^1 year.*yearly/)).toContainText('€47.88')
      await expect(plan(/^2 years \+ 2 months free/)).toContainText(/every 2 years.*€83\.76/)
      await expect(page.getByText('€0.99')).toHaveCount(0)
    })
  })
}

test.describe('prices in two currencies', () => {
  test.use({ habits: { currencies: 'usd,eur', prices: 'expanded' }, locale: 'de-DE' })
  test("prices in two currencies are offered in that of the browser's region", async ({ page, open, backend }) => {
    await open(`/subscription?devices=${writeId(findTracker(backend, 'Boat'), backend.habits)}`)
    const plans = page.getByRole('radio')
    await expect(plans).not.toHaveCount(0)
    await expect(page.locator('label').filter({ has: plans }).first()).toContainText('5,99')
    await expect(page.getByText('$')).toHaveCount(0)
    await replaceCardProvider(page)
    await page.getByRole('button', { name: /Karte/ }).click()
    await expect(page.getByRole('heading', { name: 'Card' })).toBeVisible()
    expect(backend.journal.find(({ path }) => path.includes('payment_session'))?.body).toMatchObject({
      items: [{ price: 'price_1MonthlyEur' }],
    })
  })
})
