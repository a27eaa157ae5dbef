import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Bool, Int, Metadata, mergeMetadata, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildPlan } from './catalogue.ts'
import { attemptCharge, finalizeInvoice, findInvoiceCard } from './invoice-payments.ts'
import {
  DEFAULT_PAYMENT_SETTINGS,
  ENDED,
  getSubscription,
  mergeSettings,
  NewItem,
  PaymentSettings,
  resolvePrice,
  updateSubscription,
} from './subscription.ts'
import { draftInvoice, itemAmount, productName } from './subscription-invoices.ts'
import { billTrial, buildPause, buildTrial, PauseCollection } from './subscription-pause.ts'
import { resolveTaxRates, TaxRateIdsOrNone } from './tax-rates.ts'

const Proration = {
  proration_behavior: z.optional(z.enum(['create_prorations', 'always_invoice', 'none'])),
  proration_date: z.optional(Int),
}
const ChangedItem = z.extend(NewItem, { id: z.optional(z.string()), deleted: z.optional(Bool) })
export const SubscriptionChange = z.strictObject({
  cancel_at_period_end: z.optional(Bool),
  default_payment_method: z.optional(z.string()),
  default_tax_rates: z.optional(TaxRateIdsOrNone),
  description: z.optional(Text),
  items: z.optional(z.array(ChangedItem)),
  metadata: z.optional(Metadata),
  pause_collection: z.optional(PauseCollection),
  payment_settings: z.optional(PaymentSettings),
  trial_end: z.optional(Int),
  ...Proration,
})
export const ItemRemoval = z.strictObject(Proration)

/** The items with changes of price and quantity; a change of the interval would begin a new period, which the fake does not support. */
function changeItems(
  provider: Provider,
  subscription: Stripe.Subscription,
  changes: readonly z.infer<typeof ChangedItem>[],
): Stripe.SubscriptionItem[] {
  let data = subscription.items.data
  for (const [index, change] of changes.entries()) {
    const known = data.find((item) => item.id === change.id)
    if (change.id !== undefined && !known) throw missingObject('subscription_item', change.id, `items[${index}][id]`, 400)
    if (!known && change.deleted)
      throw new Problem(`Missing required param: items[${index}][id].`, { code: 'parameter_missing', param: `items[${index}][id]` })
    if (known && change.deleted) {
      data = data.filter((item) => item !== known)
      continue
    }
    const price = change.price === undefined && !change.price_data ? known?.price : resolvePrice(provider, change, index)
    if (!price) throw new Problem(`Missing required param: items[${index}][price].`, { code: 'parameter_missing' })
    const model = known ?? data[0]!
    if (JSON.stringify(price.recurring) !== JSON.stringify(model.price.recurring))
      throw new Problem('The fake changes prices of the same interval only.', { param: `items[${index}][price]` })
    const id = known?.id ?? createId(provider, 'si')
    const metadata = mergeMetadata(known?.metadata ?? {}, change.metadata)
    const quantity = change.quantity ?? known?.quantity ?? 1
    const rates = known?.tax_rates ?? []
    const tax_rates =
      change.tax_rates === undefined ? rates : resolveTaxRates(provider, change.tax_rates, `items[${index}][tax_rates]`, rates)
    const changed = { ...model, id, metadata, price, plan: buildPlan(price, price.recurring!), quantity, tax_rates }
    data = known ? data.map((item) => (item === known ? changed : item)) : [...data, changed]
  }
  if (data.length === 0) throw new Problem('A subscription must have at least one active plan.', { param: 'items' })
  return data
}

type Change = z.output<typeof SubscriptionChange>

export function changeSubscription(provider: Provider, subscription: Stripe.Subscription, change: Change) {
  const { default_payment_method, default_tax_rates, cancel_at_period_end, description, items, metadata, payment_settings } = change
  const { pause_collection, trial_end } = change
  if (ENDED.includes(subscription.status)) throw missingObject('subscription', subscription.id)
  if (default_payment_method !== undefined && provider.methods.get(default_payment_method)?.customer !== subscription.customer)
    throw missingObject('PaymentMethod', default_payment_method, 'default_payment_method', 400)
  const known = subscription.default_tax_rates ?? []
  const data = items && changeItems(provider, subscription, items)
  const settings = subscription.payment_settings ?? DEFAULT_PAYMENT_SETTINGS
  updateSubscription(provider, subscription, {
    ...(default_payment_method !== undefined && { default_payment_method }),
    ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
    ...(default_tax_rates !== undefined && {
      default_tax_rates: resolveTaxRates(provider, default_tax_rates, 'default_tax_rates', known),
    }),
    ...(description !== undefined && { description }),
    ...(data && { items: { ...subscription.items, data } }),
    ...(pause_collection !== undefined && { pause_collection: buildPause(provider, pause_collection) }),
    ...(metadata !== undefined && { metadata: mergeMetadata(subscription.metadata, metadata) }),
    ...(payment_settings && { payment_settings: mergeSettings(settings, payment_settings) }),
  })
  if (data) billChange(provider, subscription, data, change)
  if (trial_end !== undefined) startTrial(provider, getSubscription(provider, subscription.id), trial_end, change)
  return getSubscription(provider, subscription.id)
}

/** Credits the rest of the period for which the customer has paid, unless the request disables it. */
function startTrial(provider: Provider, before: Stripe.Subscription, end: number, { proration_behavior = 'create_prorations' }: Change) {
  const trial = buildTrial(provider, before, end)
  if (proration_behavior !== 'none') prorate(provider, before, [before.items.data, []], nowInSeconds(provider))
  const changed = updateSubscription(provider, before, trial)
  const { cancel_at_period_end } = changed
  billTrial(provider, cancel_at_period_end ? updateSubscription(provider, changed, { cancel_at_period_end }) : changed)
}

/** Bills a change of the items in proportion to the rest of the period, unless the request disables it. */
export function billChange(
  provider: Provider,
  before: Stripe.Subscription,
  data: readonly Stripe.SubscriptionItem[],
  { proration_behavior = 'create_prorations', proration_date }: z.output<typeof ItemRemoval>,
) {
  if (proration_behavior === 'none') return
  prorate(provider, before, [before.items.data, data], proration_date ?? nowInSeconds(provider))
  if (proration_behavior === 'always_invoice') invoiceNow(provider, getSubscription(provider, before.id))
}

type Items = readonly Stripe.SubscriptionItem[]

/** Statuses with a paid period that a change shortens or extends. */
const PAID_STATUSES: readonly Stripe.Subscription.Status[] = ['active', 'past_due']

/**
 * Adds an item for the unused time of each item that a change replaces or removes, and for the remaining time of each one that it adds.
 * They wait for the subscription's next invoice.
 */
export function prorate(provider: Provider, subscription: Stripe.Subscription, [before, after]: readonly [Items, Items], at: number) {
  if (!PAID_STATUSES.includes(subscription.status)) return
  const rates = provider.subscriptions.get(subscription.id)?.default_tax_rates
  const add = (item: Stripe.SubscriptionItem) => addProration(provider, subscription, { item, at, sign: 1, rates })
  for (const old of before) {
    const now = after.find(({ id }) => id === old.id)
    if (now && isSamePrice(old, now)) continue
    addProration(provider, subscription, { item: old, at, sign: -1, rates: subscription.default_tax_rates })
    if (now) add(now)
  }
  for (const item of after) if (!before.some(({ id }) => id === item.id)) add(item)
}

const isSamePrice = (one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem) =>
  one.price.id === other.price.id && one.quantity === other.quantity

type ProrationFacts = { item: Stripe.SubscriptionItem; at: number; sign: 1 | -1; rates: Stripe.TaxRate[] | null | undefined }

function addProration(
  provider: Provider,
  { id: subscription, customer, currency }: Stripe.Subscription,
  { item, at, sign, rates }: ProrationFacts,
) {
  const { current_period_start: start, current_period_end: end, price, quantity = 1 } = item
  const share = Math.min(1, Math.max(0, (end - at) / (end - start)))
  const what = `${quantity === 1 ? '' : `${quantity} × `}${productName(provider, item)}`
  const added = {
    id: createId(provider, 'ii'),
    object: 'invoiceitem',
    amount: sign * Math.round(itemAmount(item) * share),
    currency,
    customer: String(customer),
    customer_account: null,
    date: nowInSeconds(provider),
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${what} after ${formatDay(at)}`,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: { subscription, subscription_item: item.id } },
    period: { start: at, end },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: String(price.product) },
      unit_amount_decimal: String(price.unit_amount ?? 0),
    },
    proration: true,
    quantity,
    tax_rates: item.tax_rates?.length ? item.tax_rates : (rates ?? []),
    test_clock: null,
  } as unknown as Stripe.InvoiceItem
  provider.invoiceItems.set(added.id, added)
  recordEvent(provider, 'invoiceitem.created', added)
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })
const formatDay = (seconds: number) => DAY.format(seconds * 1000)

/** Bills at once what waits for the next invoice. A subscription whose card is declined is past due. */
export function invoiceNow(provider: Provider, subscription: Stripe.Subscription) {
  const isWaiting = [...provider.invoiceItems.values()].some(
    (item) => item.invoice === null && item.parent?.subscription_details?.subscription === subscription.id,
  )
  if (!isWaiting) return
  const at = nowInSeconds(provider)
  const draft = draftInvoice(provider, subscription, { reason: 'subscription_update', at, lines: [] })
  const invoice = finalizeInvoice(provider, draft, at)
  if (invoice.status === 'paid') return
  const { fault } = attemptCharge(provider, invoice, findInvoiceCard(provider, invoice), { isAutomatic: false, isOnSession: true })
  const known = provider.subscriptions.get(subscription.id)
  if (fault && known?.status === 'active') updateSubscription(provider, known, { status: 'past_due' })
}
