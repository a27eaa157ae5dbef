import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createStripeServer } from './stripe-server.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const NOW_S = NOW.getTime() / 1000
const DAY_S = 86_400

/** A shop with the official SDK, a price of 15 euros a month and a buyer with a card and a test clock. */
async function openShop() {
  const { app } = createStripeServer({ origin: 'http://stripe.test', clock: { now: () => NOW } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
  const { id: product } = await stripe.products.create({ name: 'Tracker' })
  const { id: price } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 1500, recurring: { interval: 'month' } })
  const { id: once } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 990 })
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: NOW_S })
  const { id: customer } = await stripe.customers.create({
    test_clock: clock,
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const rate = async (percentage: number, inclusive: boolean, display_name = 'VAT') =>
    (await stripe.taxRates.create({ display_name, percentage, inclusive })).id
  return {
    stripe,
    price,
    once,
    customer,
    rate,
    /** Starts a subscription with default tax rates; resolves to it and its first invoice. */
    async bill(rates: string[], params: Partial<Stripe.SubscriptionCreateParams> = {}) {
      const made = await stripe.subscriptions.create({
        customer,
        items: [{ price }],
        default_tax_rates: rates,
        expand: ['latest_invoice.payments'],
        ...params,
      })
      return { subscription: made, invoice: made.latest_invoice as Stripe.Invoice }
    },
    chargeOf: async ({ payments }: Stripe.Invoice) => {
      const { payment_intent } = payments!.data[0]!.payment
      return (await stripe.charges.list({ payment_intent: String(payment_intent) })).data[0]!
    },
    advance: (days: number) => stripe.testHelpers.testClocks.advance(clock, { frozen_time: NOW_S + days * DAY_S }),
    newestInvoice: async () => (await stripe.invoices.list({ customer, expand: ['data.payments'] })).data[0]!,
    page: (url: string, payload?: string) =>
      app.inject({
        method: payload ? 'POST' : 'GET',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        ...(payload && { payload }),
      }),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('a tax rate can be found and archived, but its percentage cannot be changed', async () => {
  await using shop = await openShop()
  const { stripe } = shop
  const rate = await stripe.taxRates.create({
    display_name: 'MwSt.',
    percentage: 7.7,
    inclusive: true,
    country: 'CH',
    jurisdiction: 'CH',
    description: 'old rate',
    metadata: { kind: 'normal' },
  })
  expect(rate.id).toMatch(/^txr_/)
  expect(await stripe.taxRates.retrieve(rate.id)).toMatchObject({ object: 'tax_rate', active: true, percentage: 7.7, inclusive: true })
  expect(await stripe.taxRates.update(rate.id, { active: false })).toMatchObject({ active: false, display_name: 'MwSt.' })
  expect((await stripe.taxRates.list({ active: true })).data).toEqual([])
  expect((await stripe.taxRates.list({ inclusive: true })).data).toMatchObject([{ id: rate.id }])
  await expect(stripe.taxRates.update(rate.id, { percentage: 8.1 } as never)).rejects.toMatchObject({ code: 'parameter_unknown' })
  for (const percentage of [101, -1, 7.12345])
    await expect(stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive: true })).rejects.toMatchObject({
      param: 'percentage',
    })
})

test('an unknown or inactive tax rate is refused with the name of its parameter', async () => {
  await using shop = await openShop()
  const { stripe, customer, price } = shop
  const archived = await shop.rate(19, false)
  await stripe.taxRates.update(archived, { active: false })
  for (const [id, code] of [
    ['txr_unknown', 'resource_missing'],
    [archived, undefined],
  ] as const) {
    const line_items = [{ price, quantity: 1, tax_rates: [id] }]
    const session = stripe.checkout.sessions.create({ mode: 'subscription', success_url: 'http://shop.test/', line_items })
    await expect(session).rejects.toMatchObject({ code, param: 'line_items[0][tax_rates][0]' })
    await expect(shop.bill([id])).rejects.toMatchObject({ code, param: 'default_tax_rates[0]' })
    await expect(shop.bill([], { items: [{ price, tax_rates: [id] }] })).rejects.toMatchObject({ code, param: 'items[0][tax_rates][0]' })
    const item = stripe.invoiceItems.create({ customer, amount: 100, currency: 'eur', tax_rates: [id] })
    await expect(item).rejects.toMatchObject({ code, param: 'tax_rates[0]' })
    const invoice = stripe.invoices.create({ customer, default_tax_rates: [id] })
    await expect(invoice).rejects.toMatchObject({ code, param: 'default_tax_rates[0]' })
  }
})

type Rate = [percentage: number, inclusive: boolean]
const BOTH_ON_TOP: Rate[] = [
  [19, false],
  [7.7, false],
]
const BOTH_WITHIN: Rate[] = [
  [19, true],
  [7.7, true],
]

test.each<[string, Rate[], taxes: number[], total: number, net: number]>([
  ['19 % on top of 15 euros', [[19, false]], [285], 1785, 1500],
  ['19 % within 15 euros', [[19, true]], [239], 1500, 1261],
  ['7.7 % on top, half a cent up', [[7.7, false]], [116], 1616, 1500],
  ['7.7 % within', [[7.7, true]], [107], 1500, 1393],
  ['two rates on top, each of the amount', BOTH_ON_TOP, [285, 116], 1901, 1500],
  ['two rates within', BOTH_WITHIN, [225, 91], 1500, 1184],
])('an invoice has, charges and refunds its tax: %s', async (_, rates, taxes, total, net) => {
  await using shop = await openShop()
  const ids = await Promise.all(rates.map(([percentage, inclusive]) => shop.rate(percentage, inclusive)))
  const { invoice } = await shop.bill(ids)
  expect(invoice).toMatchObject({
    subtotal: 1500,
    subtotal_excluding_tax: net,
    total,
    total_excluding_tax: net,
    amount_due: total,
    amount_paid: total,
    status: 'paid',
    default_tax_rates: ids.map((id) => ({ id })),
    lines: { data: [{ amount: 1500, taxes: taxes.map((amount) => ({ amount })) }] },
    total_taxes: taxes.map((amount, index) => ({
      amount,
      tax_behavior: rates[index]![1] ? 'inclusive' : 'exclusive',
      tax_rate_details: { tax_rate: ids[index] },
      taxable_amount: net,
      type: 'tax_rate_details',
    })),
  })
  const charge = await shop.chargeOf(invoice)
  expect(charge.amount).toBe(total)
  expect((await shop.stripe.refunds.create({ charge: charge.id })).amount).toBe(total)
})

test('a renewal has the current rates of the subscription, even after they were archived', async () => {
  await using shop = await openShop()
  const { subscription, invoice } = await shop.bill([])
  expect(invoice).toMatchObject({ total: 1500, total_taxes: [] })
  const rate = await shop.rate(19, false)
  await shop.stripe.subscriptions.update(subscription.id, { default_tax_rates: [rate] })
  await shop.stripe.taxRates.update(rate, { active: false })
  await shop.advance(32)
  const renewal = await shop.newestInvoice()
  expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid', amount_paid: 1785, total_taxes: [{ amount: 285 }] })
  expect((await shop.chargeOf(renewal)).amount).toBe(1785)
  await shop.stripe.subscriptions.update(subscription.id, { default_tax_rates: '' })
  await shop.advance(64)
  expect(await shop.newestInvoice()).toMatchObject({ amount_paid: 1500, total_taxes: [] })
})

test('the rates of an item replace those of its subscription', async () => {
  await using shop = await openShop()
  const [full, reduced] = [await shop.rate(19, false), await shop.rate(7, false)]
  const { subscription, invoice } = await shop.bill([full], { items: [{ price: shop.price, tax_rates: [reduced] }] })
  expect(invoice).toMatchObject({ total: 1605, total_taxes: [{ amount: 105, tax_rate_details: { tax_rate: reduced } }] })
  const [item] = subscription.items.data
  await shop.stripe.subscriptions.update(subscription.id, { items: [{ id: item!.id, tax_rates: '' }] })
  await shop.advance(32)
  expect(await shop.newestInvoice()).toMatchObject({ total: 1785, total_taxes: [{ tax_rate_details: { tax_rate: full } }] })
})

test('a proration refunds tax by the rates before the change and bills it by those after', async () => {
  await using shop = await openShop()
  const rate = await shop.rate(19, false)
  const { subscription } = await shop.bill([rate])
  const { id } = subscription.items.data[0]!
  await shop.stripe.subscriptions.update(subscription.id, {
    default_tax_rates: '',
    items: [{ id, quantity: 2 }],
    proration_date: NOW_S,
    proration_behavior: 'always_invoice',
  })
  expect(await shop.newestInvoice()).toMatchObject({
    subtotal: 1500,
    total: 1215,
    amount_paid: 1215,
    total_taxes: [{ amount: -285 }],
    lines: {
      data: [
        { amount: -1500, taxes: [{ amount: -285 }] },
        { amount: 3000, taxes: [] },
      ],
    },
  })
  await shop.stripe.subscriptions.update(subscription.id, {
    default_tax_rates: [rate],
    items: [{ id, quantity: 1 }],
    proration_date: NOW_S,
    proration_behavior: 'always_invoice',
  })
  expect(await shop.newestInvoice()).toMatchObject({ subtotal: -1500, total: -1215, amount_due: 0, ending_balance: -1215 })
})

test('each line of an invoice is rounded separately, and its own rates replace those of the invoice', async () => {
  await using shop = await openShop()
  const { stripe, customer } = shop
  const [full, reduced] = [await shop.rate(19, false), await shop.rate(7, true)]
  const { id: invoice } = await stripe.invoices.create({ customer, default_tax_rates: [full], currency: 'eur' })
  for (const rates of [undefined, undefined, [reduced]])
    await stripe.invoiceItems.create({ customer, invoice, amount: 50, currency: 'eur', ...(rates && { tax_rates: rates }) })
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    subtotal: 150,
    subtotal_excluding_tax: 147,
    total: 170,
    total_taxes: [{ amount: 20, taxable_amount: 100 }, { amount: 3 }],
  })
  expect(await stripe.invoices.update(invoice, { default_tax_rates: '' })).toMatchObject({ total: 150, amount_due: 150 })
  expect(await stripe.invoices.update(invoice, { default_tax_rates: [full] })).toMatchObject({ total: 170, amount_due: 170 })
  const open = await stripe.invoices.finalizeInvoice(invoice)
  await expect(stripe.invoices.update(invoice, { default_tax_rates: '' })).rejects.toMatchObject({ code: 'invoice_not_editable' })
  const { body } = await shop.page(open.hosted_invoice_url!)
  expect(body).toMatch(/VAT 19%<\/th><td>€0\.20<.*Total<\/th><td>€1\.70<.*of which VAT 7%<\/th><td>€0\.03</s)
  expect(await stripe.invoices.pay(invoice)).toMatchObject({ amount_paid: 170 })
})

test('a customer who is exempt from tax pays none', async () => {
  await using shop = await openShop()
  const rates = [await shop.rate(19, false)]
  for (const [tax_exempt, taxability_reason] of [
    ['exempt', 'customer_exempt'],
    ['reverse', 'reverse_charge'],
  ] as const) {
    await shop.stripe.customers.update(shop.customer, { tax_exempt })
    expect((await shop.bill(rates)).invoice).toMatchObject({ total: 1500, total_taxes: [{ amount: 0, taxability_reason }] })
  }
})

test.each([
  ['exclusive', false, { amount_subtotal: 1980, amount_tax: 376, amount_total: 2356 }],
  ['inclusive', true, { amount_subtotal: 1980, amount_tax: 316, amount_total: 1980 }],
] as const)('a checkout with an %s tax shows and charges it', async (_, isInclusive, amounts) => {
  await using shop = await openShop()
  const { stripe } = shop
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://shop.test/',
    line_items: [{ price: shop.once, quantity: 2, tax_rates: [await shop.rate(19, isInclusive)] }],
    invoice_creation: { enabled: true },
    locale: 'en',
    expand: ['line_items.data.taxes'],
  })
  const { amount_tax, ...sums } = amounts
  expect(session).toMatchObject({ ...sums, total_details: { amount_tax } })
  expect(session.line_items!.data).toMatchObject([{ ...amounts, taxes: [{ amount: amount_tax, rate: { percentage: 19 } }] }])
  expect((await stripe.checkout.sessions.listLineItems(session.id)).data[0]).not.toHaveProperty('taxes')
  const { body } = await shop.page(session.url!)
  expect(body).toContain(isInclusive ? 'of which VAT 19%</th><td>€3.16' : '<th scope="row">VAT 19%</th><td>€3.76')
  await shop.page(session.url!, 'number=4242424242424242')
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent', 'invoice'] })
  expect(paid).toMatchObject({
    payment_status: 'paid',
    payment_intent: { amount_received: amounts.amount_total },
    invoice: { total: amounts.amount_total, amount_paid: amounts.amount_total, total_taxes: [{ amount: amount_tax }] },
  })
})

test('a subscription keeps the tax rates of the line items of its checkout', async () => {
  await using shop = await openShop()
  const { stripe, customer, price, once } = shop
  const [full, reduced] = [await shop.rate(19, false), await shop.rate(7, false)]
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    success_url: 'http://shop.test/',
    line_items: [
      { price, quantity: 1, tax_rates: [full] },
      { price: once, quantity: 1, tax_rates: [reduced] },
    ],
  })
  await shop.page(session.url!, 'number=4242424242424242')
  const { invoice, subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice', 'subscription'] })
  expect(invoice).toMatchObject({ subtotal: 2490, total: 2844, amount_paid: 2844, total_taxes: [{ amount: 285 }, { amount: 69 }] })
  expect(subscription).toMatchObject({ default_tax_rates: [], items: { data: [{ tax_rates: [{ id: full }] }] } })
  await shop.advance(32)
  expect(await shop.newestInvoice()).toMatchObject({ billing_reason: 'subscription_cycle', amount_paid: 1785 })
})
