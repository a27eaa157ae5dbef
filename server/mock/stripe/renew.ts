import type Stripe from 'stripe'
import { addMonths } from '#contracts/rules/subscription.ts'
import { expireCheckoutSession } from './checkout-endpoints.ts'
import { attemptCharge, findInvoiceCard } from './collect.ts'
import { recordEvent } from './event.ts'
import { hostedInvoiceUrl, saveInvoice } from './invoice.ts'
import { findCustomer, type Provider } from './provider.ts'
import { periodMonths } from './subscription.ts'
import { cancelSubscription, updateSubscription } from './subscription-changes.ts'

const HOUR_SECONDS = 3600
const AUTOMATIC = { isAutomatic: true }
/** Subscriptions with these statuses start another period. */
const RENEWING_STATUSES: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid']

/** Work that is due at an instant, in seconds. */
type DueWork = { at: number; run(): void }

/**
 * The next work that is due: a period ends, an invoice is finalized and charged, a charge is retried, or a session expires. Customers with
 * a test clock follow that clock only.
 */
export function findNextDue(provider: Provider, testClock: string | null = null): DueWork | undefined {
  let next: DueWork | undefined
  const offer = (customer: Stripe.Invoice['customer'], at: number | null, run: () => void) => {
    const isOfClock = (findCustomer(provider, String(customer))?.test_clock ?? null) === testClock
    if (isOfClock && at !== null && Number.isFinite(at) && (!next || at < next.at)) next = { at, run }
  }
  for (const subscription of provider.subscriptions.values())
    if (RENEWING_STATUSES.includes(subscription.status)) {
      const at = Math.min(...subscription.items.data.map((item) => item.current_period_end))
      offer(subscription.customer, at, () => void endPeriod(provider, subscription, at))
    }
  for (const invoice of provider.invoices.values()) {
    if (invoice.status === 'draft')
      offer(invoice.customer, invoice.automatically_finalizes_at, () => void finalizeAndCharge(provider, invoice))
    if (invoice.status === 'open')
      offer(
        invoice.customer,
        invoice.next_payment_attempt,
        () => void attemptCharge(provider, invoice, findInvoiceCard(provider, invoice), AUTOMATIC),
      )
  }
  for (const session of provider.sessions.values())
    if (session.status === 'open') offer(session.customer, session.expires_at, () => void expireCheckoutSession(provider, session))
  return next
}

/** Runs everything that is due until then (seconds), each at its own instant. */
export function runDue(provider: Provider, until: number, testClock: string | null = null) {
  const before = provider.pinned
  for (let due = findNextDue(provider, testClock); due && due.at <= until; due = findNextDue(provider, testClock)) {
    provider.pinned = new Date(due.at * 1000)
    due.run()
  }
  provider.pinned = before
}

/** Starts the next period with a draft invoice, finalized an hour later. The invoice of an unpaid subscription stays a draft. */
export function endPeriod(provider: Provider, subscription: Stripe.Subscription, at: number): Stripe.Invoice | undefined {
  if (subscription.cancel_at_period_end) return void cancelSubscription(provider, subscription)
  const over = subscription.items.data.filter((item) => item.current_period_end === at)
  const data = subscription.items.data.map((item) => (over.includes(item) ? nextPeriod(subscription, item) : item))
  const renewed = updateSubscription(provider, subscription, { items: { ...subscription.items, data } })
  const invoice = saveInvoice(provider, {
    customer: String(subscription.customer),
    subscription: subscription.id,
    reason: 'subscription_cycle',
    created: at,
    currency: subscription.currency,
    amount: over.reduce((sum, item) => sum + itemAmount(item), 0),
    balance: over.reduce((sum, item) => sum + itemAmount(item), 0),
    attempts: 0,
    draftUntil: subscription.status === 'unpaid' ? null : at + HOUR_SECONDS,
    lines: renewed.items.data.flatMap((item) =>
      item.current_period_start === at ? [{ label: productName(provider, item), amount: itemAmount(item), item }] : [],
    ),
  })
  provider.subscriptions.set(renewed.id, { ...renewed, latest_invoice: invoice.id })
  recordEvent(provider, 'invoice.created', invoice)
  return invoice
}

export function finalizeAndCharge(provider: Provider, draft: Stripe.Invoice, card = findInvoiceCard(provider, draft)) {
  const sent: Stripe.Invoice = {
    ...draft,
    status: 'open',
    automatically_finalizes_at: null,
    effective_at: draft.automatically_finalizes_at,
    hosted_invoice_url: hostedInvoiceUrl(provider, draft.id),
    status_transitions: { ...draft.status_transitions, finalized_at: draft.automatically_finalizes_at },
  }
  provider.invoices.set(sent.id, sent)
  recordEvent(provider, 'invoice.finalized', sent)
  return attemptCharge(provider, sent, card, AUTOMATIC)
}

/** Periods are counted from the anchor, so that a month of 28 days does not shorten all later ones. */
function nextPeriod({ billing_cycle_anchor: anchor }: Stripe.Subscription, item: Stripe.SubscriptionItem): Stripe.SubscriptionItem {
  const start = item.current_period_end
  const step = item.price.recurring ? periodMonths(item.price.recurring) : 1
  let months = step
  const at = () => addMonths(new Date(anchor * 1000), months).getTime() / 1000
  while (at() <= start) months += step
  return { ...item, current_period_start: start, current_period_end: at() }
}

const itemAmount = ({ price, quantity = 1 }: Stripe.SubscriptionItem) => (price.unit_amount ?? 0) * quantity

const productName = ({ products }: Provider, { price }: Stripe.SubscriptionItem) => products.get(String(price.product))?.name ?? 'Renewal'
