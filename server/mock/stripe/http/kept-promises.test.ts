import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createStripeServer } from './stripe-server.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function begin() {
  const { app } = createStripeServer({ origin: 'http://stripe.test', clock: { now: () => new Date('2026-03-02T09:00:00Z') } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const connect = (options: Partial<Stripe.StripeConfig> = {}) =>
    new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, ...options })
  return { app, connect, stripe: connect(), [Symbol.asyncDispose]: () => app.close() }
}

/** Creates a customer who pays €9.00 a month by card. */
async function subscribe(stripe: Stripe) {
  const { id: product } = await stripe.products.create({ name: 'Tracker' })
  const { id: price } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 900, recurring: { interval: 'month' } })
  const { id: customer } = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] })
  return { id, customer, price }
}

test('clauses of a search are joined by a space, AND or OR, but not by AND and OR', async () => {
  await using at = await begin()
  const { stripe } = at
  for (const [name, rank] of [
    ['Ada Blue', '1'],
    ['Bob Blue', '2'],
    ['Ada Red', '2'],
  ])
    await stripe.customers.create({ name: name!, metadata: { rank: rank! } })
  const found: [string, number][] = [
    ['name~"Ada" metadata["rank"]:"2"', 1],
    [`name~"Ada"   -metadata['rank']:'2'`, 1],
    ['name:"Ada Blue"', 1],
    ['name ~ "Blue" created > 0 metadata["rank"] : "2"', 1],
    ['name~"Blue" AND metadata["rank"]:"2" created>0', 1],
    ['name:"Ada Red" or name:"Bob Blue"', 2],
    [' name~"Blue" ', 2],
  ]
  expect(
    await collectFailures(found, String, async ([query, count]) =>
      expect((await stripe.customers.search({ query })).data).toHaveLength(count),
    ),
  ).toEqual([])
  for (const query of ['name~"Ada" OR name~"Bob" created>0', 'name~"Ada" created>0 OR name~"Bob"', 'name~"Ada" Bob', 'AND'])
    await expect(stripe.customers.search({ query }), query).rejects.toMatchObject({ param: 'query' })
})

test('a request for a connected account is rejected, whichever way it names the account', async () => {
  await using at = await begin()
  const refused = { statusCode: 403, code: 'account_invalid', message: expect.stringContaining("'acct_1'") }
  const { stripe, connect } = at
  for (const send of [
    () => stripe.customers.create({}, { stripeAccount: 'acct_1' }),
    () => stripe.customers.list({}, { stripeAccount: 'acct_1' }),
    () => connect({ stripeAccount: 'acct_1' }).customers.list(),
    () => connect({ stripeContext: 'acct_1' }).customers.list(),
  ])
    await expect(send()).rejects.toMatchObject(refused)
  expect((await stripe.customers.list()).data).toEqual([])
})

test('parameters are accepted in the URL and in the body of every method', async () => {
  await using at = await begin()
  const send = async (method: 'POST' | 'DELETE', url: string, payload: string) =>
    (await at.app.inject({ method, url, payload, headers: { authorization: 'Bearer sk_test_1', ...FORM } })).json()
  const { id } = await send('POST', '/v1/customers?name=Ada', 'email=ada@example.com')
  expect(await at.stripe.customers.retrieve(id)).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
  expect(await send('DELETE', `/v1/customers/${id}`, 'colour=red')).toMatchObject({ error: { param: 'colour' } })
})

const DECLINES: [name: string, number: string, code: string, decline: string | undefined][] = [
  ['visa_chargeDeclined', '4000000000000002', 'card_declined', 'generic_decline'],
  ['visa_chargeDeclinedInsufficientFunds', '4000000000009995', 'card_declined', 'insufficient_funds'],
  ['visa_chargeDeclinedLostCard', '4000000000009987', 'card_declined', 'lost_card'],
  ['visa_chargeDeclinedStolenCard', '4000000000009979', 'card_declined', 'stolen_card'],
  ['chargeDeclinedExpiredCard', '4000000000000069', 'expired_card', undefined],
  ['chargeDeclinedIncorrectCvc', '4000000000000127', 'incorrect_cvc', undefined],
  ['chargeDeclinedProcessingError', '4000000000000119', 'processing_error', undefined],
  ['visa_chargeDeclinedVelocityLimitExceeded', '4000000000006975', 'card_declined', 'card_velocity_exceeded'],
  ['chargeDeclinedFraudulent', '4100000000000019', 'card_declined', 'fraudulent'],
  ['radarBlock', '4100000000000019', 'card_declined', 'fraudulent'],
  ['chargeCustomerFail', '4000000000000341', 'card_declined', 'generic_decline'],
]

test('each declined test card has the code and the decline code of Stripe, by name, token and number', async () => {
  await using at = await begin()
  const { stripe } = at
  const typed = async (number: string) =>
    (await stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2034 } })).id
  const token = async (name: string) => (await stripe.paymentMethods.create({ type: 'card', card: { token: `tok_${name}` } })).id
  expect(
    await collectFailures(DECLINES, String, async ([name, number, code, decline_code]) => {
      const names = [`pm_card_${name}`, `pm_card_${name.replace('visa_', '')}`, await token(name), await typed(number)]
      for (const payment_method of names) {
        const paid = stripe.paymentIntents.create({ amount: 500, currency: 'eur', payment_method, confirm: true })
        const error = await paid.then(
          () => null,
          (problem) => problem,
        )
        expect([error?.statusCode, error?.code, error?.decline_code || undefined]).toEqual([402, code, decline_code])
        expect(error.payment_intent.last_payment_error.code).toBe(code)
      }
    }),
  ).toEqual([])
})

test('each accepted test card pays under its brand', async () => {
  await using at = await begin()
  const { stripe } = at
  for (const [name, brand, last4] of [
    ['visa_debit', 'visa', '5556'],
    ['mastercard', 'mastercard', '4444'],
    ['mastercard_prepaid', 'mastercard', '5100'],
    ['amex', 'amex', '8431'],
    ['discover', 'discover', '1117'],
    ['diners', 'diners', '0004'],
    ['jcb', 'jcb', '0505'],
    ['unionpay', 'unionpay', '0005'],
    ['threeDSecureOptional', 'visa', '3055'],
  ]) {
    const terms = { amount: 500, currency: 'eur', payment_method: `pm_card_${name}`, confirm: true, expand: ['payment_method'] }
    expect(await stripe.paymentIntents.create(terms), name).toMatchObject({
      status: 'succeeded',
      payment_method: { card: { brand, last4 } },
    })
  }
})

test('a card that is set up for later payments requires confirmation only while its owner is present', async () => {
  await using at = await begin()
  const { stripe } = at
  const { id: customer } = await stripe.customers.create({})
  const { id: payment_method } = await stripe.paymentMethods.attach('pm_card_authenticationRequiredSetupForOffSession', { customer })
  const terms = { amount: 500, currency: 'eur', customer, payment_method, confirm: true }
  expect((await stripe.paymentIntents.create(terms)).status).toBe('requires_action')
  expect((await stripe.paymentIntents.create({ ...terms, off_session: true })).status).toBe('succeeded')
})

test('disputes are won, lost, closed or only an inquiry, depending on their cards and evidence', async () => {
  await using at = await begin()
  const { stripe } = at
  const dispute = async (card: string) => {
    await stripe.paymentIntents.create({ amount: 500, currency: 'eur', payment_method: card, confirm: true })
    return (await stripe.disputes.list({ limit: 1 })).data[0]!
  }
  const answer = async (card: string, text: string) =>
    (await stripe.disputes.update((await dispute(card)).id, { evidence: { uncategorized_text: text } })).status
  expect(await answer('pm_card_createDispute', 'winning_evidence')).toBe('won')
  expect(await answer('pm_card_createDispute', 'losing_evidence')).toBe('lost')
  expect(await answer('pm_card_createDispute', 'a letter')).toBe('under_review')
  expect((await stripe.disputes.close((await dispute('pm_card_createDisputeProductNotReceived')).id)).status).toBe('lost')
  const inquiry = await dispute('pm_card_createDisputeInquiry')
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true })
  const closed = await stripe.disputes.close(inquiry.id)
  expect(closed.status).toBe('warning_closed')
  await expect(stripe.disputes.close(closed.id)).rejects.toMatchObject({ statusCode: 400 })
  const events = (await stripe.events.list({ types: ['charge.dispute.funds_withdrawn'] })).data
  expect(events).toHaveLength(4)
})

test('a checkout rejects parameters of the other mode', async () => {
  await using at = await begin()
  const price = (recurring: object) => ({
    quantity: 1,
    price_data: { currency: 'eur', unit_amount: 900, product_data: { name: 'Tracker' }, ...recurring },
  })
  const monthly = price({ recurring: { interval: 'month' } })
  for (const [param, terms] of [
    ['subscription_data', { mode: 'payment', line_items: [price({})], subscription_data: { metadata: { order: '7' } } }],
    ['payment_intent_data', { mode: 'subscription', line_items: [monthly], payment_intent_data: { metadata: { order: '7' } } }],
    ['invoice_creation', { mode: 'subscription', line_items: [monthly], invoice_creation: { enabled: true } }],
  ] as [string, Stripe.Checkout.SessionCreateParams][])
    await expect(at.stripe.checkout.sessions.create({ success_url: 'http://shop.test/', ...terms })).rejects.toMatchObject({ param })
})

test('a checkout copies its metadata to the subscription, its invoice and its lines', async () => {
  await using at = await begin()
  const { stripe } = at
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    success_url: 'http://shop.test/',
    customer_email: 'ada@example.com',
    line_items: [
      {
        quantity: 2,
        price_data: { currency: 'eur', unit_amount: 900, recurring: { interval: 'month' }, product_data: { name: 'Tracker' } },
      },
    ],
    subscription_data: { metadata: { order: '7' } },
  })
  await at.app.inject({ method: 'POST', url: new URL(session.url!).pathname, headers: FORM, payload: 'number=4242424242424242' })
  expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] })).toMatchObject({
    subscription: { status: 'active', metadata: { order: '7' }, items: { data: [{ quantity: 2 }] } },
    invoice: {
      status: 'paid',
      amount_paid: 1800,
      parent: { subscription_details: { metadata: { order: '7' } } },
      lines: { data: [{ metadata: { order: '7' }, quantity: 2 }] },
    },
  })
})

test('two parameters that exclude each other are rejected', async () => {
  await using at = await begin()
  const { stripe } = at
  const product = (await stripe.products.create({ name: 'Tracker' })).id
  const { id: price } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 900, recurring: { interval: 'month' } })
  const { id: customer } = await stripe.customers.create({})
  const price_data = { currency: 'eur', unit_amount: 900, product, recurring: { interval: 'month' as const } }
  const product_data = { name: 'Tracker' }
  const intent = { amount: 500, currency: 'eur' }
  const both = { automatic_payment_methods: { enabled: true }, payment_method_types: ['card'] }
  const checkout = { mode: 'subscription' as const, success_url: 'http://shop.test/' }
  const refused: [string, Promise<unknown>][] = [
    ['product_data', stripe.prices.create({ product, product_data, currency: 'eur', unit_amount: 900 })],
    ['items[0][price_data]', stripe.subscriptions.create({ customer, items: [{ price, price_data }] })],
    ['line_items[0][price_data]', stripe.checkout.sessions.create({ ...checkout, line_items: [{ quantity: 1, price, price_data }] })],
    [
      'line_items[0][price_data][product_data]',
      stripe.checkout.sessions.create({ ...checkout, line_items: [{ quantity: 1, price_data: { ...price_data, product_data } }] }),
    ],
    ['payment_method_types', stripe.paymentIntents.create({ ...intent, ...both })],
    ['payment_method_types', stripe.setupIntents.create(both)],
    ['off_session', stripe.paymentIntents.create({ ...intent, off_session: true })],
    ['return_url', stripe.paymentIntents.create({ ...intent, return_url: 'http://shop.test/' })],
    ['return_url', stripe.setupIntents.create({ return_url: 'http://shop.test/' })],
    [
      'invoice_settings[default_payment_method]',
      stripe.customers.create({ payment_method: 'pm_card_visa', invoice_settings: { default_payment_method: 'pm_card_amex' } }),
    ],
  ]
  for (const [param, sent] of refused) await expect(sent, param).rejects.toMatchObject({ statusCode: 400, param })
  expect((await stripe.customers.list()).data).toHaveLength(1)
})

test('a request that contradicts the object it names is rejected', async () => {
  await using at = await begin()
  const { stripe } = at
  const [ada, bob] = [(await stripe.customers.create({})).id, (await stripe.customers.create({})).id]
  const pay = () => stripe.paymentIntents.create({ amount: 500, currency: 'eur', payment_method: 'pm_card_visa', confirm: true })
  const [first, second] = [await pay(), await pay()]
  const draft = await stripe.invoices.create({ customer: ada })
  await stripe.invoiceItems.create({ customer: ada, invoice: draft.id, amount: 500, currency: 'eur' })
  const item = { invoice: draft.id, amount: 500 }
  const [collar, belt] = [await stripe.products.create({ name: 'Collar' }), await stripe.products.create({ name: 'Belt' })]
  const { id: default_price } = await stripe.prices.create({ product: belt.id, currency: 'eur', unit_amount: 900 })
  const refused: [string, Promise<unknown>][] = [
    ['payment_intent', stripe.refunds.create({ charge: String(first.latest_charge), payment_intent: second.id })],
    ['customer', stripe.invoiceItems.create({ ...item, customer: bob, currency: 'eur' })],
    ['currency', stripe.invoiceItems.create({ ...item, customer: ada, currency: 'usd' })],
    ['default_price', stripe.products.update(collar.id, { default_price })],
  ]
  for (const [param, sent] of refused) await expect(sent, param).rejects.toMatchObject({ statusCode: 400, param })
})

test('staged evidence is submitted by a later request', async () => {
  await using at = await begin()
  const { stripe } = at
  await stripe.paymentIntents.create({ amount: 500, currency: 'eur', payment_method: 'pm_card_createDispute', confirm: true })
  const { id } = (await stripe.disputes.list()).data[0]!
  const evidence = { uncategorized_text: 'winning_evidence' }
  expect(await stripe.disputes.update(id, { evidence, submit: false })).toMatchObject({ status: 'needs_response', evidence })
  expect(await stripe.disputes.update(id, { metadata: { case: '7' } })).toMatchObject({ status: 'needs_response' })
  expect(await stripe.disputes.update(id, { submit: true })).toMatchObject({ status: 'won', evidence_details: { submission_count: 1 } })
})

test('an item can be removed from a subscription only by its id', async () => {
  await using at = await begin()
  const { stripe } = at
  const { id, price } = await subscribe(stripe)
  await expect(stripe.subscriptions.update(id, { items: [{ price, deleted: true }] })).rejects.toMatchObject({ param: 'items[0][id]' })
  expect((await stripe.subscriptions.retrieve(id)).items.data).toHaveLength(1)
})

test('an invoice with auto-advance is charged an hour after it is finalized, and another one is not', async () => {
  await using at = await begin()
  const { stripe } = at
  const { id: test_clock, frozen_time } = await stripe.testHelpers.testClocks.create({ frozen_time: 1772442000 })
  const { id: customer } = await stripe.customers.create({
    test_clock,
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const finalize = async (auto_advance: boolean) => {
    const { id: invoice } = await stripe.invoices.create({ customer })
    await stripe.invoiceItems.create({ customer, invoice, amount: 700, currency: 'eur' })
    return (await stripe.invoices.finalizeInvoice(invoice, { auto_advance })).id
  }
  const [advancing, waiting] = [await finalize(true), await finalize(false)]
  expect(await stripe.invoices.retrieve(advancing)).toMatchObject({ status: 'open', auto_advance: true })
  await stripe.testHelpers.testClocks.advance(test_clock, { frozen_time: frozen_time + 2 * 3600 })
  expect(await stripe.invoices.retrieve(advancing)).toMatchObject({ status: 'paid', amount_paid: 700 })
  expect(await stripe.invoices.retrieve(waiting)).toMatchObject({ status: 'open', auto_advance: false })
})

test('the portal page offers what its configuration enables', async () => {
  await using at = await begin()
  const { stripe } = at
  const { id, customer } = await subscribe(stripe)
  const configuration = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true }, subscription_cancel: { enabled: true, mode: 'immediately' } },
  })
  const session = await stripe.billingPortal.sessions.create({ customer, return_url: 'http://shop.test/' })
  expect(session.configuration).toBe(configuration.id)
  const path = new URL(session.url).pathname
  const { body } = await at.app.inject({ url: path })
  expect(body).not.toContain('Add this card')
  expect(body).toContain('Invoice, March 2, 2026, €9.00')
  const added = await at.app.inject({ method: 'POST', url: path, headers: FORM, payload: 'number=5555555555554444&expiry=12/34' })
  expect(added.headers.location).toBeUndefined()
  expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1)
  await at.app.inject({ method: 'POST', url: `${path}/subscriptions/${id}`, headers: FORM, payload: 'action=end' })
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' })
})
