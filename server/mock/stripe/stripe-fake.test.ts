import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { systemIds } from '#server/ports/ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createStripeFake } from './stripe-fake.ts'

const start = new Date('2026-03-02T09:00:00Z')

function begin() {
  const clock = { at: start, now: () => clock.at }
  const fake = createStripeFake({ clock, ids: systemIds, origin: 'http://portal.test' })
  return { fake, clock, ...fake.payments }
}

const purchase = (change: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  success_url: 'http://portal.test/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://portal.test/back',
  line_items: [{ quantity: 2, price_data: { currency: 'eur', unit_amount: 1495, product_data: { name: '1 year' } } }],
  ...change,
})
const monthly = { currency: 'eur', unit_amount: 199, product_data: { name: '1 month' }, recurring: { interval: 'month' } } as const

test('customers are created, read, changed and deleted', async () => {
  const { stripe } = begin()
  const { id } = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { account: '7' } })
  await stripe.customers.update(id, { name: 'Ada L.' })
  expect(await stripe.customers.retrieve(id)).toMatchObject({ email: 'ada@example.com', name: 'Ada L.', metadata: { account: '7' } })
  await stripe.customers.del(id)
  expect(await stripe.customers.retrieve(id)).toMatchObject({ deleted: true })
  await expect(stripe.customers.update(id, { name: 'x' })).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
  await expect(stripe.customers.retrieve('cus_nobody')).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
})

test('a checkout session is created with its total and the address of its page', async () => {
  const { stripe } = begin()
  const session = await stripe.checkout.sessions.create(purchase({ metadata: { account: '7' }, invoice_creation: { enabled: true } }))
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 2990,
    currency: 'eur',
    metadata: { account: '7' },
  })
  expect(session.url).toBe(`http://portal.test/mock/stripe/checkout/${session.id}`)
  const again = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })
  expect(again.line_items?.data[0]).toMatchObject({ description: '1 year', quantity: 2, amount_total: 2990 })
  expect((await stripe.checkout.sessions.listLineItems(session.id)).data).toHaveLength(1)
})

test('a checkout session expires after a day or on request, and only once', async () => {
  const { stripe, clock } = begin()
  const [first, second] = [await stripe.checkout.sessions.create(purchase()), await stripe.checkout.sessions.create(purchase())]
  expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null })
  await expect(stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 })
  clock.at = new Date(start.getTime() + 86_400_000)
  expect((await stripe.checkout.sessions.retrieve(second.id)).status).toBe('expired')
})

test("an impossible checkout is rejected with Stripe's message", async () => {
  const rows: [string, Partial<Stripe.Checkout.SessionCreateParams>, string][] = [
    ['an unknown customer', { customer: 'cus_nobody' }, "No such customer: 'cus_nobody'"],
    [
      'a recurring price in payment mode',
      { line_items: [{ quantity: 1, price_data: monthly }] },
      '`payment` mode but passed a recurring price',
    ],
    ['a subscription without a recurring price', { mode: 'subscription' }, 'at least one recurring price'],
    ['an unknown parameter', { allow_promotion_codes: true }, 'Received unknown parameter: allow_promotion_codes'],
    ['a relative address', { success_url: '/done' }, 'Not a valid URL'],
    [
      'two currencies',
      { line_items: ['eur', 'usd'].map((currency) => ({ quantity: 1, price_data: { ...monthly, currency } })), mode: 'subscription' },
      'same currency',
    ],
  ]
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([, change, message]) => {
        const { stripe } = begin()
        await expect(stripe.checkout.sessions.create(purchase(change))).rejects.toMatchObject({
          type: 'StripeInvalidRequestError',
          statusCode: 400,
          message: expect.stringContaining(message),
        })
      },
    ),
  ).toEqual([])
})

test('a missing parameter is named in the error', async () => {
  const { stripe } = begin()
  const { mode: _, ...rest } = purchase()
  await expect(stripe.checkout.sessions.create(rest)).rejects.toMatchObject({ code: 'parameter_missing', param: 'mode' })
})

test('an unknown endpoint and a wrong API key are rejected', async () => {
  const { stripe } = begin()
  await expect(stripe.coupons.list()).rejects.toMatchObject({ statusCode: 404, message: expect.stringContaining('/v1/coupons') })
  await expect(stripe.customers.create({}, { apiKey: 'sk_test_other' })).rejects.toMatchObject({ statusCode: 401 })
})

test('a repeated idempotency key returns the first response and is rejected with other parameters', async () => {
  const { stripe } = begin()
  const key = { idempotencyKey: 'intent-1' }
  const first = await stripe.checkout.sessions.create(purchase(), key)
  const second = await stripe.checkout.sessions.create(purchase(), key)
  expect(second.id).toBe(first.id)
  expect(new Headers(second.lastResponse.headers).get('idempotent-replayed')).toBe('true')
  await expect(stripe.checkout.sessions.create(purchase({ cancel_url: 'http://portal.test/x' }), key)).rejects.toBeInstanceOf(
    Stripe.errors.StripeIdempotencyError,
  )
})

test('a billing portal session needs an existing customer', async () => {
  const { stripe, fake } = begin()
  const { id } = await stripe.customers.create({})
  const session = await stripe.billingPortal.sessions.create({ customer: id, return_url: 'http://portal.test/account', locale: 'fr' })
  expect(session.url).toBe(`http://portal.test/mock/stripe/portal/${session.id}`)
  expect(fake.findPortalSession(session.id)?.return_url).toBe('http://portal.test/account')
  await expect(stripe.billingPortal.sessions.create({ customer: 'cus_x', return_url: 'http://portal.test/' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
})

test('a payment completes its session, and its events are signed for the webhook', async () => {
  const { stripe, fake, clock, webhookSecret } = begin()
  const { id } = await stripe.checkout.sessions.create(purchase())
  expect(fake.pay(id, '4000 0000 0000 0002')).toMatchObject({ outcome: 'refused', fault: 'declined' })
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
  expect(fake.pay(id, '4242-4242-4242-4242').outcome).toBe('paid')
  expect(fake.pay(id, '4242 4242 4242 4242').outcome).toBe('closed')
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
  const { payload, signature } = fake.sign(fake.events.at(-1)!)
  const event = stripe.webhooks.constructEvent(payload, signature, webhookSecret, 300, undefined, clock.now().getTime())
  expect(fake.events.map(({ type }) => type)).toEqual(['charge.succeeded', 'payment_intent.succeeded', event.type])
  expect(event.type).toBe('checkout.session.completed')
})
