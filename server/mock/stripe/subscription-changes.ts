import type Stripe from 'stripe'
import { recordEvent } from './event.ts'
import { nowInSeconds, type Provider } from './provider.ts'

/** Updates a subscription and records the event. */
export function updateSubscription(provider: Provider, subscription: Stripe.Subscription, changes: Partial<Stripe.Subscription>) {
  const changed = { ...subscription, ...changes }
  provider.subscriptions.set(changed.id, changed)
  recordEvent(provider, 'customer.subscription.updated', changed)
  return changed
}

/** Cancels a subscription at once. Its open invoices are not charged automatically any more. */
export function cancelSubscription(provider: Provider, subscription: Stripe.Subscription) {
  const now = nowInSeconds(provider)
  const ended: Stripe.Subscription = { ...subscription, status: 'canceled', canceled_at: subscription.canceled_at ?? now, ended_at: now }
  provider.subscriptions.set(ended.id, ended)
  for (const invoice of provider.invoices.values())
    if (invoice.parent?.subscription_details?.subscription === ended.id && (invoice.status === 'draft' || invoice.status === 'open'))
      provider.invoices.set(invoice.id, { ...invoice, automatically_finalizes_at: null, next_payment_attempt: null })
  recordEvent(provider, 'customer.subscription.deleted', ended)
  return ended
}
