import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { createStripeServer } from './stripe-server.ts'

const HOUR_MS = 3_600_000
const DAY_S = 86_400

/** A shop that uses only the fake, with the official SDK and a price of 15 euros a month. */
async function openShop(options: Partial<Stripe.StripeConfig> = {}) {
  const clock = { at: new Date('2026-03-02T09:00:00Z'), now: () => clock.at }
  const { app, play } = createStripeServer({ origin: 'http://stripe.test', clock })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, ...options })
  const { id: product } = await stripe.products.create({ name: 'Tracker' })
  const monthly = async (unit_amount: number) =>
    (await stripe.prices.create({ product, currency: 'eur', unit_amount, recurring: { interval: 'month' } })).id
  const buyer = async (card?: string, test_clock?: string) => {
    const customer = await stripe.customers.create({
      ...(card && { payment_method: card, invoice_settings: { default_payment_method: card } }),
      ...(test_clock && { test_clock }),
    })
    return customer.id
  }
  const typesSince = async (before: readonly Stripe.Event[]) =>
    (await listEvents()).filter(({ id }) => !before.some((event) => event.id === id)).map(({ type }) => type)
  const listEvents = async () => (await stripe.events.list({ limit: 100 })).data.toReversed()
  const page = (url: string, answer: 'yes' | 'no') =>
    app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `answer=${answer}`,
    })
  return {
    stripe,
    clock,
    play,
    page,
    buyer,
    listEvents,
    typesSince,
    monthly,
    price: await monthly(1500),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

const START: Pick<Stripe.SubscriptionCreateParams, 'payment_behavior' | 'payment_settings' | 'expand'> = {
  payment_behavior: 'default_incomplete',
  payment_settings: { save_default_payment_method: 'on_subscription' },
  expand: ['latest_invoice.confirmation_secret'],
}
const latestInvoice = ({ latest_invoice }: Stripe.Subscription) => latest_invoice as Stripe.Invoice
/** The payment intent that a browser would confirm with the secret. */
const intentOf = (subscription: Stripe.Subscription) => latestInvoice(subscription).confirmation_secret!.client_secret.split('_secret_')[0]!

describe('a subscription that its customer pays in the browser', () => {
  test('a new subscription waits with the secret of its payment, and confirming the payment activates it and saves the card', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const customer = await shop.buyer()
    const before = await shop.listEvents()
    const made = await stripe.subscriptions.create({ customer, items: [{ price }], ...START })
    expect(made).toMatchObject({
      status: 'incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      latest_invoice: { status: 'open', amount_due: 1500, attempt_count: 0, confirmation_secret: { type: 'payment_intent' } },
    })
    expect(await shop.typesSince(before)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
    ])
    const intent = intentOf(made)
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'requires_payment_method',
      amount: 1500,
      customer,
      setup_future_usage: 'off_session',
    })
    const waiting = await shop.listEvents()
    await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' })
    expect(await shop.typesSince(waiting)).toEqual([
      'charge.succeeded',
      'payment_method.attached',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
      'customer.subscription.updated',
    ])
    const [card] = (await stripe.customers.listPaymentMethods(customer)).data
    expect(await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice.payments'] })).toMatchObject({
      status: 'active',
      default_payment_method: card!.id,
      latest_invoice: { status: 'paid', payments: { data: [{ status: 'paid', payment: { payment_intent: intent } }] } },
    })
  })

  test('after a declined card a new subscription waits for another one', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const made = await stripe.subscriptions.create({ customer: await shop.buyer(), items: [{ price }], ...START })
    const before = await shop.listEvents()
    await expect(
      stripe.paymentIntents.confirm(intentOf(made), { payment_method: 'pm_card_visa_chargeDeclinedLostCard' }),
    ).rejects.toMatchObject({ code: 'card_declined', decline_code: 'lost_card' })
    expect(await shop.typesSince(before)).toEqual(['charge.failed', 'payment_intent.payment_failed', 'invoice.payment_failed'])
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'incomplete' })
    await stripe.paymentIntents.confirm(intentOf(made), { payment_method: 'pm_card_mastercard' })
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'active' })
  })

  test("with 3-D Secure the cardholder's confirmation decides whether a subscription starts", async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const made = await stripe.subscriptions.create({ customer: await shop.buyer(), items: [{ price }], ...START })
    const confirm = async () => {
      const asking = await stripe.paymentIntents.confirm(intentOf(made), {
        payment_method: 'pm_card_authenticationRequired',
        return_url: 'http://shop.test/done',
      })
      expect(asking.status).toBe('requires_action')
      return asking.next_action!.redirect_to_url!.url!
    }
    await shop.page(await confirm(), 'no')
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'incomplete' })
    await shop.page(await confirm(), 'yes')
    expect(await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid' },
    })
  })

  test('after 23 hours without a payment a new subscription expires, its invoice is void and its payment canceled', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const made = await stripe.subscriptions.create({ customer: await shop.buyer(), items: [{ price }], ...START })
    shop.clock.at = new Date(shop.clock.at.getTime() + 23 * HOUR_MS - 1000)
    await shop.play()
    expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'incomplete' })
    const before = await shop.listEvents()
    shop.clock.at = new Date(shop.clock.at.getTime() + 1000)
    await shop.play()
    expect(await shop.typesSince(before)).toEqual(['payment_intent.canceled', 'invoice.voided', 'customer.subscription.updated'])
    expect(await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'incomplete_expired',
      latest_invoice: { status: 'void' },
    })
    await expect(stripe.paymentIntents.confirm(intentOf(made), { payment_method: 'pm_card_visa' })).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect((await stripe.subscriptions.list({ status: 'ended' })).data).toMatchObject([{ id: made.id }])
  })

  test('a known card waits for the confirmation too, and a free start needs none', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const customer = await shop.buyer('pm_card_visa')
    const made = await stripe.subscriptions.create({ customer, items: [{ price }], ...START })
    expect(made.status).toBe('incomplete')
    expect(await stripe.paymentIntents.retrieve(intentOf(made))).toMatchObject({ status: 'requires_confirmation' })
    await stripe.paymentIntents.confirm(intentOf(made))
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('active')
    const trial = await stripe.subscriptions.create({ customer: await shop.buyer(), items: [{ price }], trial_period_days: 7, ...START })
    expect(trial).toMatchObject({ status: 'trialing', latest_invoice: { status: 'paid', amount_due: 0, confirmation_secret: null } })
  })

  test('a client of a version before several payments expands the payment intent of the invoice', async () => {
    await using shop = await openShop({ apiVersion: '2024-06-20' as unknown as NonNullable<Stripe.StripeConfig['apiVersion']> })
    const { stripe, price } = shop
    const terms = { customer: await shop.buyer(), items: [{ price }], payment_behavior: 'default_incomplete' as const }
    const made = await stripe.subscriptions.create({ ...terms, expand: ['latest_invoice.payment_intent'] })
    expect(made.latest_invoice).toMatchObject({ payment_intent: { object: 'payment_intent', status: 'requires_payment_method' } })
    await using later = await openShop()
    const newer = { ...terms, customer: await later.buyer(), items: [{ price: later.price }], expand: ['latest_invoice.payment_intent'] }
    await expect(later.stripe.subscriptions.create(newer)).rejects.toMatchObject({ param: 'expand' })
  })
})

describe('a subscription that is paid at once', () => {
  test('the first invoice of a subscription is created, finalized and paid, each with its event', async () => {
    await using shop = await openShop()
    const customer = await shop.buyer('pm_card_visa')
    const before = await shop.listEvents()
    const made = await shop.stripe.subscriptions.create({ customer, items: [{ price: shop.price }], metadata: { order: '7' } })
    expect(made.status).toBe('active')
    expect(await shop.typesSince(before)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
    ])
    expect(await shop.stripe.invoices.retrieve(String(made.latest_invoice))).toMatchObject({
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: made.id, metadata: { order: '7' } } },
      lines: { data: [{ metadata: { order: '7' }, parent: { subscription_item_details: { subscription_item: made.items.data[0]!.id } } }] },
    })
  })

  test('a card whose bank requires confirmation leaves a subscription incomplete; without the customer the bank declines', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const customer = await shop.buyer('pm_card_authenticationRequired')
    const before = await shop.listEvents()
    const made = await stripe.subscriptions.create({ customer, items: [{ price }], expand: START.expand! })
    expect(made.status).toBe('incomplete')
    expect((await stripe.paymentIntents.retrieve(intentOf(made))).status).toBe('requires_action')
    expect(await shop.typesSince(before)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'payment_intent.requires_action',
      'invoice.payment_failed',
      'invoice.payment_action_required',
    ])
    const alone = await stripe.subscriptions.create({ customer, items: [{ price }], off_session: true, expand: START.expand! })
    expect(await stripe.paymentIntents.retrieve(intentOf(alone))).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'authentication_required' },
    })
  })

  test('the payment of a first invoice cannot be canceled or changed apart from the invoice', async () => {
    await using shop = await openShop()
    const { stripe, price } = shop
    const made = await stripe.subscriptions.create({ customer: await shop.buyer(), items: [{ price }], ...START })
    await expect(stripe.paymentIntents.cancel(intentOf(made))).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' })
    await expect(stripe.paymentIntents.update(intentOf(made), { amount: 1 })).rejects.toMatchObject({ param: 'amount' })
    await stripe.invoices.voidInvoice(latestInvoice(made).id)
    expect((await stripe.paymentIntents.retrieve(intentOf(made))).status).toBe('canceled')
  })
})

describe('a change in the middle of a period', () => {
  /** A subscription on a test clock, 15 of 31 days into its first period. */
  async function subscribe(unit_amount = 3100) {
    const shop = await openShop()
    const { stripe } = shop
    const { id: clock, frozen_time } = await stripe.testHelpers.testClocks.create({ frozen_time: shop.clock.at.getTime() / 1000 })
    const customer = await shop.buyer('pm_card_visa', clock)
    const made = await stripe.subscriptions.create({ customer, items: [{ price: await shop.monthly(unit_amount) }] })
    const advance = (days: number) => stripe.testHelpers.testClocks.advance(clock, { frozen_time: frozen_time + days * DAY_S })
    await advance(15)
    const items = async () =>
      (await stripe.invoiceItems.list({ customer })).data.map(({ amount, description }) => [amount, description]).reverse()
    const invoices = async () =>
      (await stripe.invoices.list({ customer })).data.map(({ billing_reason, total, status }) => [billing_reason, total, status]).reverse()
    return { ...shop, customer, advance, items, invoices, id: made.id, item: made.items.data[0]!.id }
  }

  test('another quantity is prorated by default, and billed with the next invoice', async () => {
    const sold = await subscribe()
    await using _ = sold
    await sold.stripe.subscriptions.update(sold.id, { items: [{ id: sold.item, quantity: 2 }] })
    expect(await sold.items()).toEqual([
      [-1600, 'Unused time on Tracker after 17 Mar 2026'],
      [3200, 'Remaining time on 2 × Tracker after 17 Mar 2026'],
    ])
    expect((await sold.stripe.invoiceItems.list({ customer: sold.customer, pending: true })).data[0]).toMatchObject({
      proration: true,
      parent: { subscription_details: { subscription: sold.id } },
    })
    await sold.advance(32)
    expect(await sold.invoices()).toEqual([
      ['subscription_create', 3100, 'paid'],
      ['subscription_cycle', 6200 + 1600, 'paid'],
    ])
    expect((await sold.stripe.invoiceItems.list({ customer: sold.customer, pending: true })).data).toEqual([])
  })

  test('another price, a new item and a removed one are prorated', async () => {
    const sold = await subscribe()
    await using _ = sold
    const { stripe, id, item } = sold
    await stripe.subscriptions.update(id, { items: [{ id: item, price: await sold.monthly(6200) }] })
    const { items } = await stripe.subscriptions.update(id, { items: [{ price: await sold.monthly(310) }] })
    await stripe.subscriptionItems.del(items.data[1]!.id)
    expect((await sold.items()).map(([amount]) => amount)).toEqual([-1600, 3200, 160, -160])
  })

  test('always_invoice bills the change at once, none never, and a proration date is respected', async () => {
    const sold = await subscribe()
    await using _ = sold
    const { stripe, id, item } = sold
    await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 2 }], proration_behavior: 'always_invoice' })
    expect(await sold.invoices()).toEqual([
      ['subscription_create', 3100, 'paid'],
      ['subscription_update', 1600, 'paid'],
    ])
    await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 3 }], proration_behavior: 'none' })
    expect(await sold.items()).toHaveLength(2)
    const { items } = await stripe.subscriptions.retrieve(id)
    const proration_date = items.data[0]!.current_period_end - DAY_S
    await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 4 }], proration_date })
    expect((await sold.items()).slice(2).map(([amount]) => amount)).toEqual([-300, 400])
  })

  test('the credit for a smaller quantity is used for later invoices', async () => {
    const sold = await subscribe()
    await using _ = sold
    const { stripe, id, item, customer } = sold
    await stripe.subscriptions.update(id, {
      items: [{ id: item, price: await sold.monthly(0) }],
      proration_behavior: 'always_invoice',
    })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -1600 })
    await stripe.subscriptions.update(id, { items: [{ id: item, price: await sold.monthly(1000) }], proration_behavior: 'none' })
    await sold.advance(32)
    expect((await stripe.invoices.list({ customer, limit: 1 })).data[0]).toMatchObject({ total: 1000, amount_due: 0, status: 'paid' })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -600 })
  })

  test('a cancellation refunds the unused time on request', async () => {
    const sold = await subscribe()
    await using _ = sold
    await sold.stripe.subscriptions.cancel(sold.id, { prorate: true, invoice_now: true })
    expect(await sold.items()).toEqual([[-1600, 'Unused time on Tracker after 17 Mar 2026']])
    expect((await sold.invoices()).at(-1)).toEqual(['subscription_update', -1600, 'paid'])
  })
})

describe('currencies of one customer', () => {
  test('a second currency is refused while a subscription runs, by subscriptions and by their checkouts, and accepted once it has ended', async () => {
    await using shop = await openShop()
    const { stripe } = shop
    const customer = await shop.buyer('pm_card_visa')
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: shop.price }] })
    const product = (await stripe.products.create({ name: 'Tracker' })).id
    const { id: price } = await stripe.prices.create({ product, currency: 'usd', unit_amount: 1500, recurring: { interval: 'month' } })
    const subscribe = () => stripe.subscriptions.create({ customer, items: [{ price }] })
    const checkOut = () =>
      stripe.checkout.sessions.create({
        customer,
        mode: 'subscription',
        success_url: 'http://shop.test/',
        line_items: [{ price, quantity: 1 }],
      })
    for (const open of [subscribe, checkOut])
      await expect(open()).rejects.toThrow(/You cannot combine currencies on a single customer\. .* with currency eur\./)
    await stripe.subscriptions.cancel(id)
    expect((await checkOut()).currency).toBe('usd')
    expect((await subscribe()).currency).toBe('usd')
  })
})
