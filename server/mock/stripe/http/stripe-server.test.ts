import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { createStripeServer } from './stripe-server.ts'

/** The fake alone with the official SDK, configured with another address only. */
async function begin(key = 'sk_test_1') {
  const clock = { at: new Date('2026-03-02T09:00:00Z'), now: () => clock.at }
  const { app, play } = createStripeServer({ origin: 'http://stripe.test', clock })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const connect = (secret: string) => new Stripe(secret, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
  const page = (url: string, answer: string) =>
    app.inject({ method: 'POST', url: new URL(url).pathname, headers: FORM, payload: `answer=${answer}` })
  return { app, port, play, clock, connect, page, stripe: connect(key), [Symbol.asyncDispose]: () => app.close() }
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A receiver of webhooks that responds with the given statuses, then with 200. */
async function listenForEvents(...statuses: number[]) {
  const received: { body: string; signature: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    received.push({ body, signature: String(request.headers['stripe-signature'] ?? '') })
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, [Symbol.asyncDispose]: async () => void server.close() }
}

const shop = async (stripe: Stripe, test_clock?: string) => {
  const product = await stripe.products.create({
    name: 'Tracker',
    description: 'A tracker for dogs',
    default_price_data: { currency: 'eur', unit_amount: 1500, recurring: { interval: 'month' } },
  })
  const customer = await stripe.customers.create({
    email: 'ada@example.com',
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
    ...(test_clock && { test_clock }),
  })
  return { product, price: String(product.default_price), customer }
}

describe('payment intents', () => {
  test('a payment with a valid card succeeds, and can be refunded in parts', async () => {
    await using at = await begin()
    const { stripe } = at
    const paid = await stripe.paymentIntents.create({
      amount: 2000,
      currency: 'eur',
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: 'http://shop.test/done',
      expand: ['latest_charge', 'payment_method'],
    })
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 2000,
      latest_charge: { object: 'charge', paid: true, captured: true },
      payment_method: { card: { last4: '4242' } },
    })
    expect(await stripe.refunds.create({ payment_intent: paid.id, amount: 500 })).toMatchObject({ status: 'succeeded', amount: 500 })
    await expect(stripe.refunds.create({ payment_intent: paid.id, amount: 1501 })).rejects.toMatchObject({ param: 'amount' })
    await stripe.refunds.create({ payment_intent: paid.id })
    await expect(stripe.refunds.create({ payment_intent: paid.id })).rejects.toMatchObject({ code: 'charge_already_refunded' })
    expect(await stripe.charges.retrieve((paid.latest_charge as Stripe.Charge).id)).toMatchObject({ refunded: true, amount_refunded: 2000 })
    expect((await stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(2)
  })

  test('a declined card is a card error with code, decline code, documentation and the intent, which another card can pay', async () => {
    await using at = await begin()
    const { stripe } = at
    const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur' })
    const error = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' }).catch((one) => one)
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      doc_url: 'https://stripe.com/docs/error-codes/card-declined',
      payment_intent: { id, status: 'requires_payment_method', last_payment_error: { decline_code: 'insufficient_funds' } },
    })
    expect(error.requestId).toMatch(/^req_/)
    expect(await stripe.charges.list({ payment_intent: id })).toMatchObject({ data: [{ status: 'failed', paid: false }] })
    expect(await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_mastercard' })).toMatchObject({ status: 'succeeded' })
    await expect(stripe.paymentIntents.cancel(id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' })
  })

  test("3-D Secure waits for the cardholder's confirmation on a page, which redirects back to the shop", async () => {
    await using at = await begin()
    const { stripe, page } = at
    const terms = { amount: 2000, currency: 'eur', payment_method: 'pm_card_threeDSecure2Required', confirm: true } as const
    const pending = await stripe.paymentIntents.create({ ...terms, return_url: 'http://shop.test/done?order=7' })
    const url = pending.next_action!.redirect_to_url!.url!
    expect([pending.status, url]).toEqual(['requires_action', `http://stripe.test/mock/stripe/authenticate/${pending.id}`])
    expect((await at.app.inject({ url: new URL(url).pathname })).body).toContain('name="answer"')
    const back = new URL(String((await page(url, 'yes')).headers.location))
    expect([back.pathname, back.searchParams.get('order'), back.searchParams.get('payment_intent')]).toEqual(['/done', '7', pending.id])
    expect(back.searchParams.get('redirect_status')).toBe('succeeded')
    expect((await stripe.paymentIntents.retrieve(pending.id)).status).toBe('succeeded')
    const other = await stripe.paymentIntents.create(terms)
    expect((await page(other.next_action!.use_stripe_sdk!.stripe_js as string, 'no')).json()).toMatchObject({
      status: 'requires_payment_method',
    })
    expect((await stripe.paymentIntents.retrieve(other.id)).last_payment_error?.code).toBe('payment_intent_authentication_failure')
    await expect(stripe.paymentIntents.create({ ...terms, off_session: true })).rejects.toMatchObject({ code: 'authentication_required' })
  })

  test('an authorized amount is captured later, at most in full', async () => {
    await using at = await begin()
    const { stripe } = at
    const held = await stripe.paymentIntents.create({
      amount: 2000,
      currency: 'eur',
      payment_method: 'pm_card_visa',
      capture_method: 'manual',
      confirm: true,
    })
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 2000 })
    await expect(stripe.paymentIntents.capture(held.id, { amount_to_capture: 2001 })).rejects.toMatchObject({ code: 'amount_too_large' })
    expect(await stripe.paymentIntents.capture(held.id, { amount_to_capture: 700 })).toMatchObject({
      status: 'succeeded',
      amount_received: 700,
    })
  })
})

test('a card is set up for later payments, also with 3-D Secure, and then pays without confirmation', async () => {
  await using at = await begin()
  const { stripe, page } = at
  const { id: customer } = await stripe.customers.create({})
  const intent = await stripe.setupIntents.create({ customer, payment_method: 'pm_card_authenticationRequiredOnSetup', confirm: true })
  expect(intent.status).toBe('requires_action')
  await page(`http://stripe.test/mock/stripe/authenticate/${intent.id}`, 'yes')
  const done = await stripe.setupIntents.retrieve(intent.id)
  expect(done.status).toBe('succeeded')
  const payment_method = String(done.payment_method)
  expect((await stripe.customers.listPaymentMethods(customer)).data.map(({ id }) => id)).toEqual([payment_method])
  const terms = { amount: 100, currency: 'eur', customer, payment_method, confirm: true, off_session: true }
  expect((await stripe.paymentIntents.create(terms)).status).toBe('succeeded')
  await expect(stripe.setupIntents.create({ customer, payment_method: 'pm_card_chargeDeclined', confirm: true })).rejects.toMatchObject({
    type: 'StripeCardError',
    setup_intent: { status: 'requires_payment_method' },
  })
})

describe('subscriptions', () => {
  test('a subscription renews when its test clock is advanced, and each invoice names its payment', async () => {
    await using at = await begin()
    const { stripe } = at
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: at.clock.at.getTime() / 1000 })
    const { price, customer } = await shop(stripe, clock.id)
    const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price, quantity: 2 }] })
    expect(subscription).toMatchObject({ status: 'active', items: { data: [{ quantity: 2, price: { id: price } }] } })
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + 40 * 86_400 })
    const invoices = (await stripe.invoices.list({ subscription: subscription.id })).data
    expect(invoices.map(({ billing_reason, status, amount_paid }) => [billing_reason, status, amount_paid])).toEqual([
      ['subscription_cycle', 'paid', 3000],
      ['subscription_create', 'paid', 3000],
    ])
    const [payment] = (await stripe.invoicePayments.list({ invoice: invoices[0]!.id })).data
    expect(await stripe.refunds.create({ payment_intent: String(payment!.payment.payment_intent) })).toMatchObject({ amount: 3000 })
  })

  test('a trial is free until it ends, and a change of the quantity counts from the next period on', async () => {
    await using at = await begin()
    const { stripe } = at
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: at.clock.at.getTime() / 1000 })
    const { price, customer } = await shop(stripe, clock.id)
    const trial = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }], trial_period_days: 14 })
    expect(trial).toMatchObject({ status: 'trialing', trial_end: clock.frozen_time + 14 * 86_400 })
    const item = { id: trial.items.data[0]!.id, quantity: 3 }
    await stripe.subscriptions.update(trial.id, { items: [item] })
    expect((await stripe.invoiceItems.list({ customer: customer.id })).data).toEqual([])
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + 15 * 86_400 })
    expect(await stripe.subscriptions.retrieve(trial.id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 4500 },
    })
  })

  test('a subscription whose first payment fails is incomplete until its invoice is paid, or refused on request', async () => {
    await using at = await begin()
    const { stripe } = at
    const { price, customer } = await shop(stripe)
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    const terms = { customer: customer.id, items: [{ price }], default_payment_method: bad.id }
    await expect(stripe.subscriptions.create({ ...terms, payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject({
      code: 'card_declined',
    })
    const { id, status, latest_invoice } = await stripe.subscriptions.create(terms)
    expect(status).toBe('incomplete')
    const visa = String(((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).invoice_settings.default_payment_method)
    await stripe.invoices.pay(String(latest_invoice), { payment_method: visa })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    const late = await stripe.subscriptions.create(terms)
    at.clock.at = new Date(at.clock.at.getTime() + 86_400_000)
    await at.play()
    expect((await stripe.subscriptions.retrieve(late.id)).status).toBe('incomplete_expired')
  })

  test('a subscription that ends with its period shows when, and resumes without an end', async () => {
    await using at = await begin()
    const { stripe } = at
    const { price, customer } = await shop(stripe)
    const { id, items } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
    const end = items.data[0]!.current_period_end
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
      cancel_at: end,
      cancel_at_period_end: true,
    })
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({ cancel_at: null, canceled_at: null })
  })
})

test('a card whose owner does not confirm it is not saved', async () => {
  await using at = await begin()
  const { stripe, page } = at
  const { id: customer } = await stripe.customers.create({})
  const terms = { customer, payment_method: 'pm_card_authenticationRequired', confirm: true, return_url: 'http://shop.test/cards' }
  const intent = await stripe.setupIntents.create(terms)
  const url = intent.next_action!.redirect_to_url!.url!
  const back = new URL(String((await page(url, 'no')).headers.location))
  expect([back.searchParams.get('setup_intent'), back.searchParams.get('redirect_status')]).toEqual([intent.id, 'failed'])
  expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  })
  expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([])
  expect((await page(url, 'yes')).statusCode).toBe(410)
  expect((await page('http://stripe.test/mock/stripe/authenticate/seti_1', 'yes')).statusCode).toBe(404)
})

test("a payment can save its card for later, and another customer's card cannot pay", async () => {
  await using at = await begin()
  const { stripe } = at
  const [ada, bob] = [await stripe.customers.create({ name: 'Ada' }), await stripe.customers.create({ name: 'Bob' })]
  const paid = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'eur',
    customer: ada.id,
    payment_method: 'pm_card_visa',
    setup_future_usage: 'off_session',
    confirm: true,
  })
  const [card] = (await stripe.customers.listPaymentMethods(ada.id)).data
  expect(card!.id).toBe(paid.payment_method)
  const terms = { amount: 500, currency: 'eur', payment_method: card!.id }
  await expect(stripe.paymentIntents.create({ ...terms, customer: bob.id })).rejects.toMatchObject({ param: 'payment_method' })
  await expect(stripe.paymentMethods.attach(card!.id, { customer: bob.id })).rejects.toMatchObject({ statusCode: 400 })
  expect((await stripe.paymentIntents.create({ ...terms, customer: ada.id, confirm: true, off_session: true })).status).toBe('succeeded')
})

test('an invoice of single items is finalized and paid', async () => {
  await using at = await begin()
  const { stripe } = at
  const { customer } = await shop(stripe)
  const draft = await stripe.invoices.create({ customer: customer.id, description: 'Repair' })
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 700, currency: 'eur', description: 'Belt' })
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 300, currency: 'eur' })
  expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({ status: 'open', amount_due: 1000, currency: 'eur' })
  expect(await stripe.invoices.pay(draft.id)).toMatchObject({ status: 'paid', amount_paid: 1000, description: 'Repair' })
  expect((await stripe.invoices.listLineItems(draft.id)).data.map(({ description }) => description)).toEqual(['Belt', ''])
})

test('a checkout with a price of the catalogue is paid on its page, and its payment can be read', async () => {
  await using at = await begin()
  const { stripe } = at
  const { product } = await shop(stripe)
  const once = await stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: 990 })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://shop.test/done?session={CHECKOUT_SESSION_ID}',
    customer_email: 'bob@example.com',
    line_items: [{ price: once.id, quantity: 2 }],
    payment_intent_data: { metadata: { order: '7' } },
  })
  const url = new URL(session.url!).pathname
  expect((await at.app.inject({ url })).body).toContain('19.80')
  const paid = await at.app.inject({ method: 'POST', url, headers: FORM, payload: 'number=4242424242424242' })
  expect(paid.headers.location).toBe(`http://shop.test/done?session=${session.id}`)
  expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'bob@example.com' },
    payment_intent: { status: 'succeeded', amount: 1980, metadata: { order: '7' } },
  })
})

describe('webhook endpoints', () => {
  test("events are signed with the endpoint's secret, and only subscribed ones are sent", async () => {
    await using at = await begin()
    await using receiver = await listenForEvents()
    const { stripe } = at
    const { secret, id } = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['customer.created'] })
    expect((await stripe.webhookEndpoints.retrieve(id)).secret).toBeUndefined()
    const { id: customer } = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k1' })
    await stripe.customers.update(customer, { name: 'Ada L.' })
    await expect.poll(() => receiver.received).toHaveLength(1)
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received
    const event = stripe.webhooks.constructEvent(body, signature, secret!)
    expect(event).toMatchObject({ type: 'customer.created', data: { object: { id: customer } }, request: { idempotency_key: 'k1' } })
    expect(() => stripe.webhooks.constructEvent(body.replace('Ada', 'Eve'), signature, secret!)).toThrow()
    const [updated] = (await stripe.events.list({ type: 'customer.updated' })).data
    expect(updated!.data.previous_attributes).toEqual({ name: 'Ada' })
    await stripe.webhookEndpoints.del(id)
    expect((await stripe.webhookEndpoints.list()).data).toEqual([])
  })

  test('a rejected event is sent again a minute later', async () => {
    await using at = await begin()
    await using receiver = await listenForEvents(500)
    await at.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] })
    await at.stripe.customers.create({})
    await expect.poll(() => receiver.received).toHaveLength(1)
    await at.play()
    expect(receiver.received).toHaveLength(1)
    // A failure counts from when its response was read, so each attempt is a minute later.
    const replay = async () => {
      at.clock.at = new Date(at.clock.at.getTime() + 60_000)
      await at.play()
      return receiver.received
    }
    await expect.poll(replay).toHaveLength(2)
    expect(receiver.received[0]!.body).toBe(receiver.received[1]!.body)
  })
})

describe('habits of the API', () => {
  test('each key has an account of its own, and other keys are rejected', async () => {
    await using at = await begin()
    await at.stripe.customers.create({})
    expect((await at.connect('sk_test_2').customers.list()).data).toEqual([])
    await expect(at.connect('sk_live_1234567890').customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      message: expect.stringContaining('sk_live_******7890'),
    })
    const bare = await fetch(`http://127.0.0.1:${at.port}/stripe-api/v1/customers`, {
      headers: { authorization: `Basic ${btoa('sk_test_1:')}` },
    })
    expect(await bare.json()).toMatchObject({ object: 'list', data: [{ object: 'customer' }] })
    expect((await (await fetch(`http://127.0.0.1:${at.port}/v1/customers`)).json()).error.message).toContain('did not provide an API key')
  })

  test('a customer has all fields of Stripe, and an empty text removes metadata', async () => {
    await using at = await begin()
    const made = await at.stripe.customers.create({ name: 'Ada', metadata: { a: '1', b: '2' }, address: { city: 'Paris' } })
    expect(made).toMatchObject({
      address: { city: 'Paris', line1: null },
      delinquent: false,
      phone: null,
      tax_exempt: 'none',
      discount: null,
    })
    expect((await at.stripe.customers.update(made.id, { metadata: { a: '' } })).metadata).toEqual({ b: '2' })
    expect((await at.stripe.customers.update(made.id, { metadata: '' })).metadata).toEqual({})
  })

  test('lists are paged forwards and backwards, and can be searched', async () => {
    await using at = await begin()
    const { stripe } = at
    for (const name of ['Ada', 'Bob', 'Cleo']) {
      await stripe.customers.create({ name, email: `${name.toLowerCase()}@example.com`, metadata: { rank: name.slice(0, 1) } })
      at.clock.at = new Date(at.clock.at.getTime() + 1000)
    }
    const names = (list: { data: Stripe.Customer[] }) => list.data.map(({ name }) => name)
    const first = await stripe.customers.list({ limit: 2 })
    expect([names(first), first.has_more]).toEqual([['Cleo', 'Bob'], true])
    const last = await stripe.customers.list({ limit: 2, starting_after: first.data[1]!.id })
    expect([names(last), last.has_more]).toEqual([['Ada'], false])
    expect(names(await stripe.customers.list({ ending_before: last.data[0]!.id }))).toEqual(['Cleo', 'Bob'])
    expect(names(await stripe.customers.list({ created: { gte: first.data[0]!.created } }))).toEqual(['Cleo'])
    const search = async (query: string) => names(await stripe.customers.search({ query }))
    expect(await search('email:"bob@example.com"')).toEqual(['Bob'])
    expect(await search('name~"o" AND -metadata["rank"]:"B"')).toEqual(['Cleo'])
    expect(await search("name:'Ada' OR metadata['rank']:'C'")).toEqual(['Cleo', 'Ada'])
    await expect(stripe.customers.search({ query: 'name' })).rejects.toMatchObject({ param: 'query' })
    const page = await stripe.customers.search({ query: 'created>0', limit: 2 })
    expect(names(await stripe.customers.search({ query: 'created>0', page: page.next_page! }))).toEqual(['Ada'])
  })
})

describe('the account of a world', () => {
  test("a world's key gives access to the customers of its users, and events reach the portal and the suite's own endpoint", async () => {
    await using portal = await startPortal()
    await using receiver = await listenForEvents()
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = portal.app.server.address() as AddressInfo
    const connect = (key: string) => new Stripe(key, { host: 'localhost', port, protocol: 'http', maxNetworkRetries: 0 })
    const stripe = connect('sk_test_w_main')
    const [alice] = (await stripe.customers.search({ query: 'email:"alice@example.com"' })).data
    expect(alice!.metadata.account).toBeDefined()
    await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['customer.subscription.updated', 'invoice.paid'] })
    const [subscription] = (await stripe.subscriptions.list({ customer: alice!.id, status: 'active' })).data
    await stripe.subscriptions.update(subscription!.id, { cancel_at_period_end: true })
    await expect.poll(() => receiver.received).toHaveLength(1)
    const newest = async () => (await portal.call(null, 'GET', '/mock/payments/events')).body[0]
    await expect.poll(newest).toMatchObject({ type: 'customer.subscription.updated', state: 'delivered' })
    const cards = async () => (await portal.call('alice@example.com', 'GET', '/users/payment_methods/')).body.length
    const before = await cards()
    await stripe.paymentMethods.attach('pm_card_visa', { customer: alice!.id })
    await expect.poll(cards).toBe(before + 1)
    await portal.call(null, 'PUT', '/mock/sim', { is_running: false })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P31D' })
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({
      object: 'event',
      type: expect.stringMatching(/^(invoice|customer)/),
    })
    await expect(connect('sk_test_w_other').customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' })
  })

  test("delays, duplicates and bad signatures of a world apply to the suite's own endpoint too", async () => {
    await using portal = await startPortal()
    await using receiver = await listenForEvents()
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = portal.app.server.address() as AddressInfo
    const stripe = new Stripe('sk_test_w_main', { host: 'localhost', port, protocol: 'http' })
    const control = (method: string, path: string, body?: object) => portal.call(null, method, `/mock/payments/${path}`, body)
    const { secret } = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['customer.created'] })
    await control('PUT', 'webhooks', { mode: 'manual', duplicate: true })
    const { id } = await stripe.customers.create({ name: 'Ada' })
    const [waiting] = (await control('GET', 'events')).body
    expect(waiting).toMatchObject({ type: 'customer.created', state: 'waiting', deliveries: [] })
    expect(receiver.received).toEqual([])
    await control('POST', 'events/flush')
    expect(receiver.received).toHaveLength(2)
    for (const { body, signature } of receiver.received)
      expect(stripe.webhooks.constructEvent(body, signature, secret!).data.object).toMatchObject({ id })
    expect((await control('GET', 'events')).body[0]).toMatchObject({ state: 'delivered', deliveries: [{ status: 200 }, { status: 200 }] })
    await control('PUT', 'webhooks', { mode: 'auto', duplicate: false, signature: 'invalid' })
    await stripe.customers.create({ name: 'Eve' })
    await expect.poll(() => receiver.received).toHaveLength(3)
    const { body, signature } = receiver.received[2]!
    expect(() => stripe.webhooks.constructEvent(body, signature, secret!)).toThrow()
  })

  test('requests from a page of another site are rejected, because a key is no secret on this machine', async () => {
    await using portal = await startPortal()
    const send = (headers: Record<string, string>) =>
      portal.app.inject({
        method: 'POST',
        url: '/v1/customers',
        headers: { authorization: 'Bearer sk_test_w_main', ...FORM, host: 'localhost:8080', ...headers },
        payload: 'name=Eve',
      })
    expect((await send({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await send({ origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await send({ host: 'rebound.example' })).statusCode).toBe(403)
    expect((await send({})).statusCode).toBe(200)
  })
})
