import type Stripe from 'stripe'
import { last4Of, type TestCard } from './cards.ts'
import { cardFor } from './collect.ts'
import { type Provider, secondsNow } from './provider.ts'
import { endPeriod, send } from './renew.ts'

/** Ends the current period of a subscription and charges the next one as if its card were the given one. */
export function renewNow(provider: Provider, id: string, card: TestCard) {
  const subscription = provider.subscriptions.get(id)
  if (!subscription || subscription.status === 'canceled') return undefined
  const at = secondsNow(provider)
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: at }))
  const over: Stripe.Subscription = {
    ...subscription,
    billing_cycle_anchor: at,
    cancel_at_period_end: false,
    items: { ...subscription.items, data },
  }
  const draft = endPeriod(provider, over, at)
  const method = draft && cardFor(provider, draft)
  if (!draft || !method?.card) return undefined
  const stand = { ...method, card: { ...method.card, last4: last4Of(card), exp_year: 2099 } }
  return send(provider, { ...draft, automatically_finalizes_at: at }, stand)
}
