import type * as z from 'zod/mini'
import { chargeError } from './charge.ts'
import { recordEvent } from './event.ts'
import { saveInvoice } from './invoice.ts'
import { chargeFault } from './payment-method.ts'
import { buildPrice } from './price.ts'
import { missingObject } from './problem.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from './provider.ts'
import { periodEnd, saveSubscription } from './subscription.ts'
import type { NewSubscription } from './subscription-input.ts'

/** Creates a subscription and charges a saved card for its first period. */
export function createSubscription(
  provider: Provider,
  { customer, default_payment_method, metadata = {}, items }: z.infer<typeof NewSubscription>,
) {
  const card = default_payment_method ?? null
  const owner = findCustomer(provider, customer)
  if (!owner) throw missingObject('customer', customer, 'customer', 400)
  const method = provider.methods.get(String(card ?? owner.invoice_settings.default_payment_method))
  if (!method || method.customer !== customer) throw missingObject('PaymentMethod', String(card), 'default_payment_method', 400)
  const fault = chargeFault(provider, method)
  if (fault) throw chargeError(fault)
  const clock = owner.test_clock ? provider.testClocks.get(String(owner.test_clock)) : undefined
  const start = clock?.frozen_time ?? nowInSeconds(provider)
  const id = createId(provider, 'sub')
  const priced = items.map(({ price_data: { currency, unit_amount: amount, tax_behavior, product, recurring } }) => {
    if (!provider.products.has(product)) throw missingObject('product', product, 'items[0][price_data][product]', 400)
    const { interval, interval_count: count = 1 } = recurring
    const facts = { currency, amount, taxBehavior: tax_behavior ?? null, product, recurring: { interval, count } }
    return buildPrice({ ...facts, id: createId(provider, 'price'), created: start })
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
  const invoice = saveInvoice(provider, billed)
  const ends = priced.map((price) => ({ price, end: periodEnd(start, price.recurring!) }))
  const made = saveSubscription(provider, { id, customer, currency, start, card, invoice: invoice.id, metadata, items: ends })
  recordEvent(provider, 'invoice.paid', invoice)
  recordEvent(provider, 'customer.subscription.created', made)
  return made
}
