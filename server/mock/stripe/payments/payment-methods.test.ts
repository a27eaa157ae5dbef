import { describe, expect, test } from 'vitest'
import { createStripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { systemIds } from '#server/ports/ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'

async function begin() {
  const clock = { at: new Date('2026-03-02T09:00:00Z'), now: () => clock.at }
  const fake = createStripeFake({ clock, ids: systemIds, origin: 'http://portal.test' })
  const { stripe } = fake.payments
  const { id: customer } = await stripe.customers.create({})
  return { fake, clock, stripe, customer }
}
const later = (clock: { at: Date }, seconds: number) => (clock.at = new Date(clock.at.getTime() + seconds * 1000))
const refused = (status: number, rest: object) => expect.objectContaining({ statusCode: status, ...rest })

describe('saved cards', () => {
  test('test cards are attached by their Stripe names and listed newest first, page by page', async () => {
    const { stripe, customer, clock } = await begin()
    const ids: string[] = []
    for (const name of ['pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_visa']) {
      ids.unshift((await stripe.paymentMethods.attach(name, { customer })).id)
      later(clock, 1)
    }
    const first = await stripe.customers.listPaymentMethods(customer, { limit: 2, type: 'card' })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true])
    const second = await stripe.customers.listPaymentMethods(customer, { limit: 2, starting_after: ids[1]! })
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([ids.slice(2), false])
    expect((await stripe.customers.listPaymentMethods(customer).autoPagingToArray({ limit: 100 })).length).toBe(3)
    expect((await stripe.paymentMethods.retrieve(ids[1]!)).card).toMatchObject({ brand: 'visa', last4: '0341', exp_year: 2034 })
  })

  test('only a card of the customer can become their default card', async () => {
    const { stripe, customer } = await begin()
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const settings = { invoice_settings: { default_payment_method: id } }
    expect(await stripe.customers.update(customer, settings)).toMatchObject(settings)
    const other = await stripe.customers.create({})
    await expect(stripe.customers.update(other.id, settings)).rejects.toEqual(
      refused(400, { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' }),
    )
  })

  test('a card can be detached once and stops being the default card', async () => {
    const { stripe, customer } = await begin()
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
    expect(await stripe.paymentMethods.detach(id)).toMatchObject({ id, customer: null })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ invoice_settings: { default_payment_method: null } })
    await expect(stripe.paymentMethods.detach(id)).rejects.toEqual(refused(400, { type: 'StripeInvalidRequestError' }))
  })

  test('a declined or unknown card is not attached', async () => {
    const rows = [
      ['a declined card', 'pm_card_chargeDeclined', 402, { type: 'StripeCardError', code: 'card_declined' }],
      ['an unknown card', 'pm_card_other', 404, { code: 'resource_missing' }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, name, status, error]) => {
          const { stripe, customer } = await begin()
          await expect(stripe.paymentMethods.attach(name, { customer })).rejects.toEqual(refused(status, error))
        },
      ),
    ).toEqual([])
  })

  test('unknown ids and parameters out of range are rejected with the name of the parameter', async () => {
    const { stripe, customer } = await begin()
    const { listPaymentMethods } = { listPaymentMethods: (params: object) => stripe.customers.listPaymentMethods(customer, params) }
    await expect(listPaymentMethods({ limit: 101 })).rejects.toEqual(refused(400, { param: 'limit' }))
    await expect(listPaymentMethods({ starting_after: 'pm_no' })).rejects.toEqual(refused(400, { param: 'starting_after' }))
    await expect(listPaymentMethods({ type: 'sepa_debit' })).rejects.toEqual(refused(400, { param: 'type' }))
    await expect(stripe.customers.listPaymentMethods('cus_no')).rejects.toEqual(refused(404, { code: 'resource_missing' }))
    await expect(stripe.paymentMethods.retrieve('pm_no')).rejects.toEqual(refused(404, { code: 'resource_missing' }))
  })
})

describe('subscription checkout', () => {
  const yearly = { currency: 'eur', unit_amount: 1495, product_data: { name: '1 year' }, recurring: { interval: 'year' } } as const

  test('a paid subscription saves the card, and each item has the end of its own period', async () => {
    const { stripe, customer, fake, clock } = await begin()
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'http://portal.test/',
      line_items: [
        { quantity: 1, price_data: yearly },
        { quantity: 1, price_data: { ...yearly, recurring: { interval: 'month', interval_count: 3 } } },
        { quantity: 1, price_data: { currency: 'eur', unit_amount: 990, product_data: { name: 'care' } } },
      ],
    })
    const paid = fake.pay(id, '4242 4242 4242 4242', { month: 7, year: 2029 })
    expect(paid.outcome === 'paid' && paid.events.map(({ type }) => type)).toEqual([
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
      'checkout.session.completed',
    ])
    const [subscription] = (await stripe.subscriptions.list({ customer })).data
    const ends = subscription!.items.data.map(({ current_period_end }) => new Date(current_period_end * 1000).toISOString())
    expect(ends).toEqual(['2027-03-02T09:00:00.000Z', '2026-06-02T09:00:00.000Z'])
    const [card] = (await stripe.customers.listPaymentMethods(customer)).data
    expect(card!.card).toMatchObject({ last4: '4242', exp_month: 7, exp_year: 2029 })
    expect(subscription!.default_payment_method).toBe(card!.id)
    expect(await stripe.invoices.retrieve(String(subscription!.latest_invoice))).toMatchObject({ status: 'paid', amount_paid: 3980 })
    later(clock, 1)
    const other = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    await stripe.subscriptions.update(subscription!.id, { default_payment_method: other.id })
    await stripe.paymentMethods.detach(other.id)
    expect((await stripe.subscriptions.list({ customer })).data[0]!.default_payment_method).toBeNull()
    await expect(stripe.subscriptions.update(subscription!.id, { default_payment_method: other.id })).rejects.toEqual(
      refused(400, { code: 'resource_missing' }),
    )
  })

  test('an expired card is refused, a card in its last month is accepted', async () => {
    const { stripe, customer, fake } = await begin()
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'http://portal.test/',
      line_items: [{ quantity: 1, price_data: yearly }],
    })
    expect(fake.pay(id, '4242 4242 4242 4242', { month: 2, year: 2026 })).toMatchObject({ outcome: 'refused', fault: 'expired_card' })
    expect(fake.pay(id, '4242 4242 4242 4242', { month: 3, year: 2026 }).outcome).toBe('paid')
  })
})
