import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { missingObject, Problem, refuseBoth } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Currency, Int, limitAmount, Metadata, UnitAmount } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { addMonths, INTERVALS, TAX_BEHAVIORS } from '#server/mock/stripe/port.ts'
import { buildPlan, buildPrice } from './catalogue.ts'
import { TaxRateIdsOrNone } from './tax-rates.ts'

export type SubscriptionFacts = {
  id?: string
  customer: string
  currency: string
  start: number
  /** The card that pays the subscription; null for the customer's default card. */
  card: string | null
  invoice: string | null
  metadata: Stripe.Metadata
  description?: string | null
  anchor?: number
  status?: Stripe.Subscription.Status
  trialEnd?: number | null
  paymentSettings?: Stripe.Subscription.PaymentSettings
  taxRates?: Stripe.TaxRate[]
  items: readonly { price: Stripe.Price; end: number; quantity?: number; metadata?: Stripe.Metadata; taxRates?: Stripe.TaxRate[] }[]
}

export function saveSubscription(provider: Provider, facts: SubscriptionFacts) {
  const { id = createId(provider, 'sub'), customer, currency, start, metadata } = facts
  const url = `/v1/subscription_items?subscription=${id}`
  const subscription: Stripe.Subscription = {
    ...UNUSED_SUBSCRIPTION_FIELDS,
    id,
    object: 'subscription',
    billing_cycle_anchor: facts.anchor ?? start,
    created: start,
    currency,
    customer,
    default_payment_method: facts.card,
    default_tax_rates: facts.taxRates ?? [],
    description: facts.description ?? null,
    items: { object: 'list', has_more: false, url, data: facts.items.flatMap(buildSubscriptionItems(id, start)) },
    latest_invoice: facts.invoice,
    metadata,
    payment_settings: facts.paymentSettings ?? DEFAULT_PAYMENT_SETTINGS,
    start_date: start,
    status: facts.status ?? 'active',
    trial_end: facts.trialEnd ?? null,
    trial_start: facts.trialEnd ? start : null,
  }
  provider.subscriptions.set(id, subscription)
  return subscription
}

export const DEFAULT_PAYMENT_SETTINGS: Stripe.Subscription.PaymentSettings = {
  payment_method_options: null,
  payment_method_types: null,
  save_default_payment_method: 'off',
}

/** End of the period that starts at `start`, in seconds. */
export const periodEnd = (start: number, recurring: Stripe.Price.Recurring) =>
  addMonths(new Date(start * 1000), periodMonths(recurring)).getTime() / 1000

export const periodMonths = ({ interval, interval_count }: Stripe.Price.Recurring) =>
  interval === 'year' ? interval_count * 12 : interval_count

/** One-time prices add no subscription item. */
const buildSubscriptionItems =
  (subscription: string, start: number) =>
  (
    { price, end, quantity = 1, metadata = {}, taxRates = [] }: SubscriptionFacts['items'][number],
    index: number,
  ): Stripe.SubscriptionItem[] => {
    if (!price.recurring) return []
    return [
      {
        id: `si_${subscription}_${index}`,
        object: 'subscription_item',
        billing_thresholds: null,
        created: start,
        current_period_end: end,
        current_period_start: start,
        current_trial: null,
        discounts: [],
        metadata,
        plan: buildPlan(price, price.recurring),
        price,
        quantity,
        subscription,
        tax_rates: taxRates,
      },
    ]
  }

/** Properties of the SDK's type that the portal never uses. */
const UNUSED_SUBSCRIPTION_FIELDS = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  discounts: [],
  ended_at: null,
  invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: null,
  trial_start: null,
} satisfies Partial<Stripe.Subscription>

export function updateSubscription(provider: Provider, subscription: Stripe.Subscription, changes: Partial<Stripe.Subscription>) {
  const changed = { ...subscription, ...changes, ...endOfPeriod(provider, subscription, changes) }
  provider.subscriptions.set(changed.id, changed)
  recordEvent(provider, 'customer.subscription.updated', changed, subscription)
  return changed
}

/** When a subscription that ends with its period ends, and since when that is known. */
function endOfPeriod(provider: Provider, { items }: Stripe.Subscription, { cancel_at_period_end }: Partial<Stripe.Subscription>) {
  if (cancel_at_period_end === undefined) return {}
  if (!cancel_at_period_end) return { cancel_at: null, canceled_at: null }
  return { cancel_at: Math.max(...items.data.map((item) => item.current_period_end)), canceled_at: nowInSeconds(provider) }
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

const RecurringPriceData = z
  .strictObject({
    currency: Currency,
    unit_amount: UnitAmount,
    tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
    product: z.string(),
    recurring: z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) }),
  })
  .check(limitAmount('unit_amount'))
/** An item of a subscription. */
export const NewItem = z.strictObject({
  price: z.optional(z.string()),
  price_data: z.optional(RecurringPriceData),
  quantity: z.optional(Int),
  metadata: z.optional(Metadata),
  tax_rates: z.optional(TaxRateIdsOrNone),
})

export const PaymentSettings = z.strictObject({
  payment_method_types: z.optional(z.array(z.literal('card'))),
  save_default_payment_method: z.optional(z.enum(['off', 'on_subscription'])),
})

/** The price of the catalogue, or a new one from inline `price_data`. */
export function resolvePrice(provider: Provider, item: z.infer<typeof NewItem>, index: number): Stripe.Price {
  const { price: id, price_data } = item
  refuseBoth(item, ['price', 'price_data'], ['items', index])
  if (!price_data) {
    const known = provider.prices.get(id ?? '')
    if (!known) throw missingObject('price', id ?? '', `items[${index}][price]`, 400)
    if (!known.active)
      throw new Problem('The price specified is inactive. This field only accepts active prices.', { param: `items[${index}][price]` })
    if (!known.recurring)
      throw new Problem('The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.', {
        param: `items[${index}][price]`,
      })
    return known
  }
  const { currency, unit_amount: amount, tax_behavior, product, recurring } = price_data
  if (!provider.products.has(product)) throw missingObject('product', product, `items[${index}][price_data][product]`, 400)
  const { interval, interval_count: count = 1 } = recurring
  const facts = { currency, amount, taxBehavior: tax_behavior ?? null, product, recurring: { interval, count } }
  return buildPrice({ ...facts, id: createId(provider, 'price'), created: nowInSeconds(provider) })
}

export const mergeSettings = (known: Stripe.Subscription.PaymentSettings, change: z.output<typeof PaymentSettings> = {}) => ({
  ...known,
  ...change,
})

/** Statuses of an ended subscription. */
export const ENDED: readonly string[] = ['canceled', 'incomplete_expired']

/** Rejects a subscription in another currency than a running one of the customer. */
export function requireOneCurrency({ subscriptions }: Provider, customer: string, currency: string) {
  const running = [...subscriptions.values()].find(
    (one) => one.customer === customer && !ENDED.includes(one.status) && one.currency !== currency,
  )
  if (running)
    throw new Problem(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${running.currency}.`,
    )
}

export const getSubscription = ({ subscriptions }: Provider, id: string) => {
  const subscription = subscriptions.get(id)
  if (!subscription) throw missingObject('subscription', id)
  return subscription
}
