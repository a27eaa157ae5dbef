import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { chargeError } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Bool, Currency, Int, limitAmount, Metadata, mergeMetadata, NoInput, Text, UnitAmount } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { chargeFault } from '#server/mock/stripe/payments/payment-methods.ts'
import { buildPlan, buildPrice } from './catalogue.ts'
import { saveInvoice } from './invoice.ts'
import { attemptCharge, recordInvoicePayment } from './invoice-payments.ts'
import { cancelSubscription, periodEnd, saveSubscription, updateSubscription } from './subscription.ts'

const RecurringPriceData = z
  .strictObject({
    currency: Currency,
    unit_amount: UnitAmount,
    tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
    product: z.string(),
    recurring: z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) }),
  })
  .check(limitAmount('unit_amount'))
const NewItem = z.strictObject({
  price: z.optional(z.string()),
  price_data: z.optional(RecurringPriceData),
  quantity: z.optional(Int),
  metadata: z.optional(Metadata),
})

/** Parameters of a subscription without a checkout. */
const NewSubscription = z.strictObject({
  customer: z.string(),
  cancel_at_period_end: z.optional(Bool),
  collection_method: z.optional(z.literal('charge_automatically')),
  default_payment_method: z.optional(z.string()),
  description: z.optional(Text),
  off_session: z.optional(Bool),
  metadata: z.optional(Metadata),
  payment_behavior: z.optional(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
  trial_end: z.optional(Int),
  trial_period_days: z.optional(Int),
  items: z.array(NewItem).check(z.minLength(1), z.maxLength(20)),
})
type NewSubscription = z.infer<typeof NewSubscription>

const DAY_SECONDS = 86_400

/** The price of the catalogue, or a new one from inline `price_data`. */
function resolvePrice(provider: Provider, { price: id, price_data }: z.infer<typeof NewItem>, index: number): Stripe.Price {
  if (!price_data) {
    const known = provider.prices.get(id ?? '')
    if (!known) throw missingObject('price', id ?? '', `items[${index}][price]`, 400)
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

/** The time of the customer: of its test clock, or of the account. */
function customerTime(provider: Provider, { test_clock }: Stripe.Customer) {
  const clock = test_clock ? provider.testClocks.get(String(test_clock)) : undefined
  return clock?.frozen_time ?? nowInSeconds(provider)
}

function createSubscription(provider: Provider, input: NewSubscription) {
  const { customer, default_payment_method, payment_behavior = 'allow_incomplete' } = input
  const card = default_payment_method ?? null
  const owner = findCustomer(provider, customer)
  if (!owner) throw missingObject('customer', customer, 'customer', 400)
  const start = customerTime(provider, owner)
  const trialEnd = input.trial_end ?? (input.trial_period_days ? start + input.trial_period_days * DAY_SECONDS : null)
  const method = findPayer(provider, owner, card, trialEnd !== null || payment_behavior === 'default_incomplete')
  const id = createId(provider, 'sub')
  const priced = input.items.map((item, index) => ({
    price: resolvePrice(provider, item, index),
    quantity: item.quantity ?? 1,
    metadata: mergeMetadata({}, item.metadata),
  }))
  const currency = priced[0]!.price.currency
  if (priced.some(({ price }) => price.currency !== currency))
    throw new Problem('All prices on a subscription must have the same currency.', { param: 'items' })
  const lines = priced.map(({ price, quantity }) => ({
    label: provider.products.get(String(price.product))!.name,
    amount: trialEnd === null ? (price.unit_amount ?? 0) * quantity : 0,
    quantity,
  }))
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  const fault = method && amount > 0 ? chargeFault(provider, method) : null
  if (fault && payment_behavior === 'error_if_incomplete') throw chargeError(fault)
  const isPaid = amount === 0 || (payment_behavior !== 'default_incomplete' && !fault)
  const invoice = saveInvoice(provider, {
    customer,
    subscription: id,
    reason: 'subscription_create',
    created: start,
    currency,
    amount,
    balance: isPaid ? 0 : amount,
    attempts: isPaid ? 1 : 0,
    lines,
  })
  const made = saveSubscription(provider, {
    id,
    customer,
    currency,
    start,
    card,
    invoice: invoice.id,
    anchor: trialEnd ?? start,
    trialEnd,
    description: input.description ?? null,
    status: isPaid ? (trialEnd === null ? 'active' : 'trialing') : 'incomplete',
    metadata: mergeMetadata({}, input.metadata),
    items: priced.map((item) => ({ ...item, end: trialEnd ?? periodEnd(start, item.price.recurring!) })),
  })
  if (isPaid) {
    recordInvoicePayment(provider, invoice, method ?? null)
    recordEvent(provider, 'invoice.paid', invoice)
  }
  recordEvent(provider, 'customer.subscription.created', made)
  if (fault && payment_behavior === 'allow_incomplete') attemptCharge(provider, invoice, method, { isAutomatic: false })
  return input.cancel_at_period_end ? updateSubscription(provider, made, { cancel_at_period_end: true }) : made
}

/** The card that pays; undefined where the first invoice can wait for one. */
function findPayer(provider: Provider, owner: Stripe.Customer, card: string | null, mayWait: boolean) {
  const id = card ?? owner.invoice_settings.default_payment_method
  if (id === null) {
    if (mayWait) return undefined
    throw new Problem(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  const method = provider.methods.get(String(id))
  if (!method || method.customer !== owner.id) throw missingObject('PaymentMethod', String(id), 'default_payment_method', 400)
  return method
}

const SUBSCRIPTIONS_PATH = '/v1/subscriptions'
const SUBSCRIPTION_ITEMS_PATH = '/v1/subscription_items'
const STATUSES = [
  'all',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'trialing',
  'incomplete',
  'incomplete_expired',
  'paused',
  'ended',
] as const
const SubscriptionQuery = z.strictObject({
  ...Pagination,
  created: Created,
  customer: z.optional(z.string()),
  price: z.optional(z.string()),
  status: z.optional(z.enum(STATUSES)),
})
const ChangedItem = z.extend(NewItem, { id: z.optional(z.string()), deleted: z.optional(Bool) })
const SubscriptionChange = z.strictObject({
  cancel_at_period_end: z.optional(Bool),
  default_payment_method: z.optional(z.string()),
  description: z.optional(Text),
  items: z.optional(z.array(ChangedItem)),
  metadata: z.optional(Metadata),
  proration_behavior: z.optional(z.literal('none', { error: 'The fake computes no prorations: pass none' })),
})
const ItemQuery = z.strictObject({ ...Pagination, subscription: z.string() })
const ItemRemoval = z.strictObject({ proration_behavior: z.optional(z.enum(['none'])) })
const Cancellation = z.strictObject({ invoice_now: z.optional(Bool), prorate: z.optional(Bool) })

/** Applies changes of price and quantity from the next period on; a change of the interval would begin a new one. */
function changeItems(
  provider: Provider,
  subscription: Stripe.Subscription,
  changes: readonly z.infer<typeof ChangedItem>[],
): Stripe.SubscriptionItem[] {
  let data = subscription.items.data
  for (const [index, change] of changes.entries()) {
    const known = data.find((item) => item.id === change.id)
    if (change.id !== undefined && !known) throw missingObject('subscription_item', change.id, `items[${index}][id]`, 400)
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
    const changed = { ...model, id, metadata, price, plan: buildPlan(price, price.recurring!), quantity }
    data = known ? data.map((item) => (item === known ? changed : item)) : [...data, changed]
  }
  if (data.length === 0) throw new Problem('A subscription must have at least one active plan.', { param: 'items' })
  return data
}

export const subscriptionEndpoints = [
  searchEndpoint(SUBSCRIPTIONS_PATH, ({ subscriptions }) => subscriptions.values()),
  endpoint('GET', SUBSCRIPTIONS_PATH, SubscriptionQuery, ({ subscriptions }, { created, customer, price, status, ...paging }) => {
    const isAsked = (one: string) => (status === undefined ? one !== 'canceled' : status === 'all' || one === status)
    const found = [...subscriptions.values()].filter(
      (one) =>
        isAsked(one.status) &&
        (customer === undefined || one.customer === customer) &&
        (price === undefined || one.items.data.some((item) => item.price.id === price)) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, SUBSCRIPTIONS_PATH)
  }),
  endpoint('POST', SUBSCRIPTIONS_PATH, NewSubscription, createSubscription),
  endpoint('GET', `${SUBSCRIPTIONS_PATH}/:id`, NoInput, (provider, _, id) => getSubscription(provider, id)),
  endpoint(
    'POST',
    `${SUBSCRIPTIONS_PATH}/:id`,
    SubscriptionChange,
    (provider, { default_payment_method, cancel_at_period_end, description, items, metadata }, id) => {
      const subscription = getSubscription(provider, id)
      if (subscription.status === 'canceled') throw missingObject('subscription', id)
      if (default_payment_method !== undefined && provider.methods.get(default_payment_method)?.customer !== subscription.customer)
        throw missingObject('PaymentMethod', default_payment_method, 'default_payment_method', 400)
      return updateSubscription(provider, subscription, {
        ...(default_payment_method !== undefined && { default_payment_method }),
        ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
        ...(description !== undefined && { description }),
        ...(items && { items: { ...subscription.items, data: changeItems(provider, subscription, items) } }),
        ...(metadata !== undefined && { metadata: mergeMetadata(subscription.metadata, metadata) }),
      })
    },
  ),
  endpoint('GET', SUBSCRIPTION_ITEMS_PATH, ItemQuery, (provider, { subscription, ...paging }) =>
    paginate(getSubscription(provider, subscription).items.data, paging, SUBSCRIPTION_ITEMS_PATH),
  ),
  endpoint('DELETE', `${SUBSCRIPTIONS_PATH}/:id`, Cancellation, (provider, _, id) => {
    const subscription = getSubscription(provider, id)
    if (subscription.status === 'canceled') throw missingObject('subscription', id)
    return cancelSubscription(provider, subscription)
  }),
  endpoint('DELETE', `${SUBSCRIPTION_ITEMS_PATH}/:id`, ItemRemoval, (provider, _, id) => {
    const subscription = [...provider.subscriptions.values()].find(({ items }) => items.data.some((item) => item.id === id))
    if (!subscription) throw missingObject('subscription_item', id, 'item')
    const data = subscription.items.data.filter((item) => item.id !== id)
    if (data.length === 0) throw new Problem('A subscription must have at least one active plan.', { param: 'item' })
    updateSubscription(provider, subscription, { items: { ...subscription.items, data } })
    return { id, object: 'subscription_item', deleted: true }
  }),
]

const getSubscription = ({ subscriptions }: Provider, id: string) => {
  const subscription = subscriptions.get(id)
  if (!subscription) throw missingObject('subscription', id)
  return subscription
}
