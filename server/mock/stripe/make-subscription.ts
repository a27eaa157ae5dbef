import type * as z from 'zod/mini'
import { refusedCharge } from './charge.ts'
import { record } from './event.ts'
import { keepInvoice } from './invoice.ts'
import { chargeFault } from './payment-method.ts'
import { priceOf } from './price.ts'
import { missing } from './problem.ts'
import { liveCustomer, newId, type Provider, secondsNow } from './provider.ts'
import { keepSubscription, periodEnd } from './subscription.ts'
import type { NewSubscription } from './subscription-input.ts'

/** Creates a subscription and charges a saved card for its first period. */
export function makeSubscription(
  provider: Provider,
  { customer, default_payment_method, metadata = {}, items }: z.infer<typeof NewSubscription>,
) {
  const card = default_payment_method ?? null
  const owner = liveCustomer(provider, customer)
  if (!owner) throw missing('customer', customer, 'customer', 400)
  const method = provider.methods.get(String(card ?? owner.invoice_settings.default_payment_method))
  if (!method || method.customer !== customer) throw missing('PaymentMethod', String(card), 'default_payment_method', 400)
  const fault = chargeFault(provider, method)
  if (fault) throw refusedCharge(fault)
  const clock = owner.test_clock ? provider.testClocks.get(String(owner.test_clock)) : undefined
  const start = clock?.frozen_time ?? secondsNow(provider)
  const id = newId(provider, 'sub')
  const priced = items.map(({ price_data: { currency, unit_amount: amount, tax_behavior, product, recurring } }) => {
    if (!provider.products.has(product)) throw missing('product', product, 'items[0][price_data][product]', 400)
    const { interval, interval_count: count = 1 } = recurring
    const facts = { currency, amount, taxBehavior: tax_behavior ?? null, product, recurring: { interval, count } }
    return priceOf({ ...facts, id: newId(provider, 'price'), created: start })
  })
  const currency = priced[0]!.currency
  const amount = priced.reduce((sum, price) => sum + (price.unit_amount ?? 0), 0)
  const lines = priced.map((price) => ({ label: provider.products.get(String(price.product))!.name, amount: price.unit_amount ?? 0 }))
  const billed = {
    customer,
    subscription: id,
    reason: 'subscription_create' as const,
    created: start,
    currency,
    amount,
    balance: 0,
    attempts: 1,
    lines,
  }
  const invoice = keepInvoice(provider, billed)
  const ends = priced.map((price) => ({ price, end: periodEnd(start, price.recurring!) }))
  const made = keepSubscription(provider, { id, customer, currency, start, card, invoice: invoice.id, metadata, items: ends })
  record(provider, 'invoice.paid', invoice)
  record(provider, 'customer.subscription.created', made)
  return made
}
