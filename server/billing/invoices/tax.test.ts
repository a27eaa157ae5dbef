import { expect, test } from 'vitest'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { invoices } from '#server/billing/invoices/invoices.handlers.ts'
import { orders } from '#server/billing/orders/orders.handlers.ts'
import {
  addTaxToCheckouts,
  BUYER,
  buyerContext,
  createPaymentTime,
  openCheckout,
  openPaymentWorld,
  payCheckout,
} from '#server/test/test-payments-world.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'

test('R-3.68 a tax that Stripe adds to a checkout is part of the order, its invoice and the subscription', async () => {
  const world = await openPaymentWorld()
  await addTaxToCheckouts(world, 19)
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  await createPaymentTime(world)(new Date('2026-03-03T09:00:00Z'))
  const context = buyerContext(world)
  const [invoice] = (await invoices.list({} as never, context)) as Invoice[]
  expect(invoice).toMatchObject({ amount: 213, balance: 0 })
  const [row] = await world.db.read.query.invoices.findMany({ where: (one, { eq }) => eq(one.id, invoice!.id) })
  expect(row).toMatchObject({ tax: 34, lines: [{ unit_amount: 179 }] })
  const reference = row!.orderReference!
  const order = await orders.read({ params: { reference } } as never, context)
  expect(order).toMatchObject({ total: 213, tax: 34 })
  const held = await world.db.read.query.subscriptions.findMany({ where: (one, { eq }) => eq(one.deviceId, BUYER.device) })
  expect(held).toContainEqual(expect.objectContaining({ tax: 34 }))
})

/** A month bought without tax, and a renewal after the operator has given the subscription a tax rate at Stripe. */
async function renewWithTax(percentage: number, inclusive: boolean) {
  const world = await openPaymentWorld()
  const { stripe } = world.payments
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const time = createPaymentTime(world)
  await time(new Date('2026-03-03T09:00:00Z'))
  const [subscription] = (await stripe.subscriptions.search({ query: `status:'active' AND metadata['account']:'${BUYER.accountId}'` })).data
  const rate = await stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive })
  await stripe.subscriptions.update(subscription!.id, { default_tax_rates: [rate.id] })
  await time(new Date('2026-04-03T09:00:00Z'))
  const context = buyerContext(world)
  const [renewal, first] = (await invoices.list({} as never, context)) as Invoice[]
  const { content } = (await invoices.pdf({ params: { id: renewal!.id } } as never, context)) as unknown as { content: Buffer }
  const [row] = await world.db.read.query.invoices.findMany({ where: (one, { eq }) => eq(one.id, renewal!.id) })
  const [charge] = (await stripe.charges.list({ customer: String(subscription!.customer) })).data
  return { first, renewal, row, charged: charge!.amount, paper: extractPdfText(content) }
}

test('R-3.68 a renewal to which Stripe adds tax has its total and tax in the invoice and its PDF', async () => {
  const { first, renewal, row, charged, paper } = await renewWithTax(19, false)
  expect(first).toMatchObject({ amount: 179, status: 'paid' })
  expect(renewal).toMatchObject({ amount: 213, balance: 0, status: 'paid' })
  expect(row).toMatchObject({ amount: 213, tax: 34, lines: [{ quantity: 1, unit_amount: 179 }] })
  expect(charged).toBe(213)
  for (const text of ['Net amount', '£1.79', 'Tax', '£0.34', '£2.13']) expect(paper).toContain(text)
})

test('R-3.68 a tax included in the price of a renewal does not change its total', async () => {
  const { renewal, row, charged, paper } = await renewWithTax(7.7, true)
  expect(renewal).toMatchObject({ amount: 179, balance: 0, status: 'paid' })
  expect(row).toMatchObject({ amount: 179, tax: 13, lines: [{ quantity: 1, unit_amount: 179 }] })
  expect(charged).toBe(179)
  for (const text of ['Net amount', '£1.66', 'Tax', '£0.13', '£1.79']) expect(paper).toContain(text)
})
