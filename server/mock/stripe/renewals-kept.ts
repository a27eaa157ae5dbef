import type Stripe from 'stripe'
import type { invoices } from '#db/schema/commerce.ts'
import { lineLabel } from '#server/billing/records/subscriptions.present.ts'
import type { Provider } from '#server/mock/stripe/api/provider.ts'
import type { InvoiceFacts } from '#server/mock/stripe/billing/invoice.ts'
import { saveSubscription } from '#server/mock/stripe/billing/subscription.ts'
import type { Renewal } from './stripe.store.ts'

type InvoiceRow = typeof invoices.$inferSelect
export type InvoiceRenewal = Required<Pick<InvoiceFacts, 'subscription' | 'reason'>> & { item: Stripe.SubscriptionItem | undefined }

/**
 * Finds the subscription that an invoice renewed; an invoice without an order came from a subscription. Only an unpaid renewal has an item
 * with its period: paid ones are already applied.
 */
export function resolveRenewal(
  provider: Provider,
  { id, accountId, orderReference, status, lines, date, currency }: InvoiceRow,
  customer: string | null,
  renewals: readonly Renewal[],
): InvoiceRenewal | undefined {
  if (orderReference !== null || status === 'open' || customer === null) return undefined
  const renewal = renewals.find(
    (one) => one.accountId === accountId && lines.some(({ label }) => label === lineLabel(one.price, one.device)),
  )
  const created = Math.floor(date.getTime() / 1000)
  const subscription =
    renewal?.subscription.providerId ?? saveCanceledSubscription(provider, { id: `sub_ended_${id}`, customer, currency, start: created })
  const [kept] = provider.subscriptions.get(subscription)?.items.data.filter(({ price }) => price.id === `price_${renewal?.price.id}`) ?? []
  const item = status === 'failed' && kept ? { ...kept, current_period_start: created } : undefined
  return { subscription, reason: 'subscription_cycle', item }
}

type CanceledTerms = { id: string; customer: string; currency: string; start: number }

/** Adds a canceled subscription for a tracker that no longer exists; its open invoices can still be paid. */
function saveCanceledSubscription(provider: Provider, terms: CanceledTerms) {
  return saveSubscription(provider, { ...terms, card: null, invoice: null, metadata: {}, status: 'canceled', items: [] }).id
}
