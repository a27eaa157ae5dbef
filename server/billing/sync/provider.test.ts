import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prices } from '#db/schema/commerce.ts'
import { stripeProductId } from '#server/billing/records/price-list.ts'
import { findDevice } from '#server/billing/records/subscriptions.store.ts'
import { buildCheckoutParams } from '#server/billing/subscriptions/checkout.ts'
import { createStripeFake } from '#server/mock/stripe/index.ts'
import { systemClock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createPayments } from '#server/ports/payments.ts'
import { BUYER, openPaymentWorld } from '#server/test/test-payments-world.ts'
import { readCustomer } from './customer-state.ts'
import { deleteCustomer } from './payment-worker.ts'
import { readCardsOf } from './provider-cards.ts'
import { syncCatalogue } from './sync-catalogue.ts'

const { PAYMENTS, STRIPE_SECRET_KEY: secretKey = '' } = process.env
const isSandbox = PAYMENTS === 'stripe'
const hasKey = /^(sk|rk)_test_/.test(secretKey)
const DAY = 86_400
const SLOW = { timeout: 300_000, interval: 2000 }
const monthly = { interval: 'month' } as const

if (isSandbox && !hasKey)
  process.stderr.write('PAYMENTS=stripe needs STRIPE_SECRET_KEY=sk_test_…: the tests against the sandbox are left out.\n')

/** The behaviour of Stripe that we rely on, tested with the fake or, with `PAYMENTS=stripe` and a key, with Stripe's sandbox. */
describe.skipIf(isSandbox && !hasKey)(`Stripe (${isSandbox ? 'sandbox' : 'fake'})`, () => {
  const fake = createStripeFake({ clock: systemClock, ids: systemIds, origin: 'http://portal.test' })
  const { stripe } = isSandbox ? createPayments({ secretKey, publicKey: '', webhookSecret: '' }) : fake.payments
  const start = Math.floor(systemClock.now().getTime() / 1000)
  const clocks: string[] = []

  beforeAll(async () => {
    const rows = await (await openPaymentWorld()).db.read.select().from(prices)
    await syncCatalogue(stripe, rows)
    expect(await syncCatalogue(stripe, rows)).toEqual([])
  })
  afterAll(async () => {
    for (const id of clocks) await stripe.testHelpers.testClocks.del(id)
  })

  /** A customer with a card and a test clock of their own. */
  async function somebody(card: string) {
    const { id: test_clock } = await stripe.testHelpers.testClocks.create({ frozen_time: start, name: randomUUID() })
    clocks.push(test_clock)
    const { id: customer } = await stripe.customers.create({ email: 'ada@example.com', test_clock })
    const method = await stripe.paymentMethods.attach(card, { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    const advance = async (days: number) => {
      await stripe.testHelpers.testClocks.advance(test_clock, { frozen_time: start + days * DAY })
      await expect.poll(async () => (await stripe.testHelpers.testClocks.retrieve(test_clock)).status, SLOW).toBe('ready')
    }
    return { customer, advance }
  }

  const subscribe = (customer: string) =>
    stripe.subscriptions.create({
      customer,
      off_session: true,
      items: [{ price_data: { currency: 'eur', unit_amount: 199, product: stripeProductId('eur-1m'), recurring: monthly } }],
    })

  test('Stripe accepts our checkout with several trackers and an option', async () => {
    const { read } = (await openPaymentWorld()).db
    const device = (await findDevice(read, BUYER.device))!
    const find = async (id: string) => (await read.select().from(prices)).find((price) => price.id === id)!
    const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' })
    const buyer = { customer, accountId: 1, createdAt: new Date(0), language: 'fr' } as const
    const paths = { success_path: '/done', cancel_path: '/back' }
    const purchases = [await find('eur-12m'), await find('eur-12m'), await find('eur-3m'), await find('eur-care')]
    const many = buildCheckoutParams(
      purchases.map((price) => ({ device, price })),
      buyer,
      paths,
      'http://localhost:8080',
    )
    expect(await stripe.checkout.sessions.create(many)).toMatchObject({
      mode: 'subscription',
      status: 'open',
      amount_total: 1495 * 2 + 499 + 990,
    })
    const once = buildCheckoutParams([{ device, price: await find('eur-12m-once') }], buyer, paths, 'http://localhost:8080')
    expect(await stripe.checkout.sessions.create(once)).toMatchObject({ mode: 'payment', status: 'open', amount_total: 1695 })
    const portal = await stripe.billingPortal.sessions.create({ customer, return_url: 'http://localhost:8080/', locale: 'fr' })
    expect(portal.url).toMatch(/^https?:/)
    await deleteCustomer(stripe, customer)
  })

  test('Stripe renews a subscription monthly and sends the events that we read', { timeout: 600_000 }, async () => {
    const { customer, advance } = await somebody('pm_card_visa')
    const { id } = await subscribe(customer)
    await advance(32)
    await advance(33)
    const state = await readCustomer(stripe, customer)
    const { subscriptions, invoices } = state
    expect(await readCardsOf(stripe, state.customer!)).toMatchObject([{ last4: '4242', isDefault: true }])
    expect(subscriptions).toMatchObject([{ id, status: 'active', cancel_at_period_end: false }])
    expect(invoices.map(({ status, billing_reason, amount_paid }) => [status, billing_reason, amount_paid])).toEqual([
      ['paid', 'subscription_create', 199],
      ['paid', 'subscription_cycle', 199],
    ])
    const [line] = invoices[1]!.lines.data
    expect(line!.pricing?.price_details?.product).toBe(stripeProductId('eur-1m'))
    expect(invoices[1]!.parent?.subscription_details?.subscription).toBe(id)
    expect(line!.period.end).toBe(subscriptions[0]!.items.data[0]!.current_period_end)
  })

  test('a failed renewal is past due; after cancelling, the subscription is over and its invoice can be voided', {
    timeout: 600_000,
  }, async () => {
    const { customer, advance } = await somebody('pm_card_visa')
    const { id } = await subscribe(customer)
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: bad.id } })
    await advance(32)
    await advance(33)
    const { subscriptions, invoices } = await readCustomer(stripe, customer)
    expect(subscriptions).toMatchObject([{ id, status: 'past_due' }])
    const [, failed] = invoices
    expect(failed).toMatchObject({ status: 'open', amount_remaining: 199 })
    expect(failed!.attempt_count).toBeGreaterThan(0)
    await expect(stripe.invoices.pay(failed!.id)).rejects.toBeInstanceOf(Stripe.errors.StripeCardError)
    await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })
    expect(await stripe.invoices.voidInvoice(failed!.id)).toMatchObject({ status: 'void' })
  })

  test('a subscription can end with its period, and a deleted customer leaves nothing behind', { timeout: 600_000 }, async () => {
    const { customer, advance } = await somebody('pm_card_visa')
    const { id } = await subscribe(customer)
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({ cancel_at_period_end: true })
    await advance(32)
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' })
    await subscribe(customer)
    await deleteCustomer(stripe, customer)
    expect(await readCustomer(stripe, customer)).toMatchObject({ customer: null })
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
  })
})
