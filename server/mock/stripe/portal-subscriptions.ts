import type Stripe from 'stripe'
import { findPortalCustomer } from './add-card.ts'
import type { Provider } from './provider.ts'
import { updateSubscription } from './subscription-changes.ts'

/** Lists the subscriptions of a portal session with the names of what they renew. */
export const listPortalSubscriptions = (provider: Provider, portalSession: string) => {
  const customer = findPortalCustomer(provider, portalSession)
  const own = [...provider.subscriptions.values()].filter((one) => customer && one.customer === customer.id && one.status !== 'canceled')
  return own.map((subscription) => ({ subscription, names: itemNames(provider, subscription) }))
}

/** Cancels a subscription at the end of its period, or resumes it. */
export function setCancelAtPeriodEnd(provider: Provider, portalSession: string, id: string, isEnding: boolean) {
  const shown = listPortalSubscriptions(provider, portalSession).find(({ subscription }) => subscription.id === id)
  if (shown) updateSubscription(provider, shown.subscription, { cancel_at_period_end: isEnding })
}

function itemNames({ products }: Provider, { description, items }: Stripe.Subscription) {
  const names = items.data.map(({ price }) => products.get(String(price.product))?.name ?? '')
  return [...new Set(names), ...(description ? [description] : [])].filter(Boolean).join(', ')
}
