import type Stripe from 'stripe'
import type { invoices } from '#db/schema/commerce.ts'
import { labelOf } from '#server/billing/records/subscriptions.present.ts'
import type { InvoiceFacts } from './invoice.ts'
import type { Provider } from './provider.ts'
import type { Renewal } from './stripe.store.ts'
import { keepSubscription } from './subscription.ts'

type InvoiceRow = typeof invoices.$inferSelect
export type Renewed = Required<Pick<InvoiceFacts, 'subscription' | 'reason'>> & { item: Stripe.SubscriptionItem | undefined }

/**
 * What an invoice of the database renews: one that came with no order was made by a subscription. Only one that is still to be
 * paid says for which period; what was paid has had its effect.
 */
export function renewalOf(
  provider: Provider,
  { id, accountId, orderReference, status, lines, date, currency }: InvoiceRow,
  customer: string | null,
  renewals: readonly Renewal[],
): Renewed | undefined {
  if (orderReference !== null || status === 'open' || customer === null) return undefined
  const renewal = renewals.find((one) => one.accountId === accountId && lines.some(({ label }) => label === labelOf(one.price, one.device)))
  const created = Math.floor(date.getTime() / 1000)
  const subscription = renewal?.subscription.providerId ?? endedOne(provider, { id: `sub_ended_${id}`, customer, currency, start: created })
  const [kept] = provider.subscriptions.get(subscription)?.items.data.filter(({ price }) => price.id === `price_${renewal?.price.id}`) ?? []
  const item = status === 'failed' && kept ? { ...kept, current_period_start: created } : undefined
  return { subscription, reason: 'subscription_cycle', item }
}

type Ended = { id: string; customer: string; currency: string; start: number }

/** One that renewed a tracker which is gone: nothing comes of it any more, but what it did not get is still owed. */
function endedOne(provider: Provider, terms: Ended) {
  return keepSubscription(provider, { ...terms, card: null, invoice: null, metadata: {}, status: 'canceled', items: [] }).id
}
