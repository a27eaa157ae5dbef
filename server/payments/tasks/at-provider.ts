import type Stripe from 'stripe'
import { idOf, isMissing } from '#server/lib/payments.ts'
import type { World } from '#server/lib/world.ts'
import { priceOfProduct } from '#server/payments/catalogue.ts'
import { renewedPrices } from './store.ts'

/** Lets a subscription renew only what is still ours: what is left over is taken off it, and with the last of it it ends. */
export async function trim({ db, payments: { stripe } }: Pick<World, 'db' | 'payments'>, id: string) {
  const subscription = await unlessMissing(() => stripe.subscriptions.retrieve(id))
  if (!subscription || subscription.status === 'canceled') return
  const kept = await renewedPrices(db.read, id)
  const surplus = subscription.items.data.filter((item) => !takeOne(kept, priceOfProduct(idOf(item.price.product) ?? '')))
  if (surplus.length === subscription.items.data.length) return end(stripe, id)
  for (const item of surplus) await unlessMissing(() => stripe.subscriptionItems.del(item.id, { proration_behavior: 'none' }))
}

/** Deletes a customer, and with them their cards and subscriptions; what they had not paid they need not pay. */
export async function forget(stripe: Stripe, customer: string) {
  const open = await unlessMissing(() => stripe.invoices.list({ customer, status: 'open', limit: 100 }).autoPagingToArray({ limit: 1000 }))
  for (const { id } of open ?? []) await unlessMissing(() => stripe.invoices.voidInvoice(id))
  await unlessMissing(() => stripe.customers.del(customer))
}

/** Nothing was given for what it could not charge, so that is not owed. */
async function end(stripe: Stripe, id: string) {
  await unlessMissing(() => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
  const open = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 }).autoPagingToArray({ limit: 1000 })
  for (const invoice of open) await unlessMissing(() => stripe.invoices.voidInvoice(invoice.id))
}

function takeOne(prices: (string | null)[], price: string | null) {
  const index = prices.indexOf(price)
  if (index >= 0) prices.splice(index, 1)
  return index >= 0
}

async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
