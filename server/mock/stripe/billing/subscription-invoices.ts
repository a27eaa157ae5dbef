import type Stripe from 'stripe'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { createId, type Provider } from '#server/mock/stripe/api/provider.ts'
import { type InvoiceLine, saveInvoice } from './invoice.ts'
import { finalizeInvoice } from './invoice-payments.ts'
import { type SubscriptionFacts, saveSubscription } from './subscription.ts'

type DraftFacts = {
  id?: string
  reason: Stripe.Invoice.BillingReason
  /** Time of its creation, in seconds. */
  at: number
  /** Time at which Stripe finalizes the invoice; null if the caller does. */
  draftUntil?: number | null
  lines: readonly InvoiceLine[]
}

/** Drafts an invoice of a subscription, with the customer's items that wait for the next invoice. */
export function draftInvoice(
  provider: Provider,
  { id: subscription, customer: owner, currency, metadata, default_tax_rates }: Stripe.Subscription,
  { id = createId(provider, 'in'), reason, at, draftUntil = null, lines }: DraftFacts,
): Stripe.Invoice {
  const customer = String(owner)
  const pending = [...provider.invoiceItems.values()].filter(
    (item) => item.invoice === null && item.customer === customer && item.currency === currency && isFor(item, subscription, reason),
  )
  for (const item of pending) provider.invoiceItems.set(item.id, { ...item, invoice: id })
  const all = [
    ...lines,
    ...pending.map((pendingItem) => ({ label: pendingItem.description ?? '', amount: pendingItem.amount, pendingItem })),
  ]
  const draft = saveInvoice(provider, {
    id,
    customer,
    subscription,
    subscriptionMetadata: metadata,
    reason,
    created: at,
    currency,
    attempts: 0,
    taxRates: default_tax_rates ?? [],
    draftUntil,
    lines: all,
  })
  const known = provider.subscriptions.get(subscription)
  if (known) provider.subscriptions.set(subscription, { ...known, latest_invoice: id })
  recordEvent(provider, 'invoice.created', draft)
  return draft
}

/** Items of another subscription wait for its own invoice; a changed subscription is billed for its changes only. */
function isFor({ parent }: Stripe.InvoiceItem, subscription: string, reason: Stripe.Invoice.BillingReason) {
  const owner = parent?.subscription_details?.subscription
  return owner ? owner === subscription : reason === 'subscription_cycle' || reason === 'subscription_create'
}

/** Saves a subscription and opens its first invoice. */
export function startSubscription(
  provider: Provider,
  facts: SubscriptionFacts,
  listLines: (items: readonly Stripe.SubscriptionItem[]) => InvoiceLine[],
): { subscription: Stripe.Subscription; invoice: Stripe.Invoice } {
  const id = createId(provider, 'in')
  const subscription = saveSubscription(provider, { ...facts, invoice: id })
  recordEvent(provider, 'customer.subscription.created', subscription)
  const lines = listLines(subscription.items.data)
  const draft = draftInvoice(provider, subscription, { id, reason: 'subscription_create', at: facts.start, lines })
  return { subscription, invoice: finalizeInvoice(provider, draft, facts.start) }
}

export const itemAmount = ({ price, quantity = 1 }: Pick<Stripe.SubscriptionItem, 'price' | 'quantity'>) =>
  (price.unit_amount ?? 0) * quantity

export const productName = ({ products }: Provider, { price }: Pick<Stripe.SubscriptionItem, 'price'>) =>
  products.get(String(price.product))?.name ?? 'Renewal'
