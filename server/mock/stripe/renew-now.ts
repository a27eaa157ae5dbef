import type Stripe from 'stripe'
import { lastFourDigits, type TestCard } from './cards.ts'
import { findInvoiceCard } from './collect.ts'
import { nowInSeconds, type Provider } from './provider.ts'
import { endPeriod, finalizeAndCharge } from './renew.ts'

/** Ends the current period of a subscription and charges the next one as if its card were the given one. */
export function renewNow(provider: Provider, id: string, card: TestCard) {
  const subscription = provider.subscriptions.get(id)
  if (!subscription || subscription.status === 'canceled') return undefined
  const at = nowInSeconds(provider)
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: at }))
  const over: Stripe.Subscription = {
    ...subscription,
    billing_cycle_anchor: at,
    cancel_at_period_end: false,
    items: { ...subscription.items, data },
  }
  const draft = endPeriod(provider, over, at)
  const method = draft && findInvoiceCard(provider, draft)
  if (!draft || !method?.card) return undefined
  const stand = { ...method, card: { ...method.card, last4: lastFourDigits(card), exp_year: 2099 } }
  return finalizeAndCharge(provider, { ...draft, automatically_finalizes_at: at }, stand)
}
