import * as z from 'zod/mini'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { chargeError } from '#server/mock/stripe/api/cards.ts'
import { Bool, endpoint, Int, Metadata, missingObject, NoInput, Pagination, Problem, paginate } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildPrice } from './catalogue.ts'
import { saveInvoice } from './invoice.ts'
import { chargeFault } from './payment-methods.ts'
import { cancelSubscription, periodEnd, saveSubscription, updateSubscription } from './subscription.ts'

const RecurringPriceData = z.strictObject({
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  unit_amount: Int,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  product: z.string(),
  recurring: z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) }),
})

/** Parameters of a subscription without a checkout, as tests create it. */
export const NewSubscription = z.strictObject({
  customer: z.string(),
  default_payment_method: z.optional(z.string()),
  off_session: z.optional(z.literal('true')),
  metadata: z.optional(Metadata),
  items: z.array(z.strictObject({ price_data: RecurringPriceData })).check(z.minLength(1), z.maxLength(20)),
})

function createSubscription(
  provider: Provider,
  { customer, default_payment_method, metadata = {}, items }: z.infer<typeof NewSubscription>,
) {
  const card = default_payment_method ?? null
  const owner = findCustomer(provider, customer)
  if (!owner) throw missingObject('customer', customer, 'customer', 400)
  const method = provider.methods.get(String(card ?? owner.invoice_settings.default_payment_method))
  if (!method || method.customer !== customer) throw missingObject('PaymentMethod', String(card), 'default_payment_method', 400)
  const fault = chargeFault(provider, method)
  if (fault) throw chargeError(fault)
  const clock = owner.test_clock ? provider.testClocks.get(String(owner.test_clock)) : undefined
  const start = clock?.frozen_time ?? nowInSeconds(provider)
  const id = createId(provider, 'sub')
  const priced = items.map(({ price_data: { currency, unit_amount: amount, tax_behavior, product, recurring } }) => {
    if (!provider.products.has(product)) throw missingObject('product', product, 'items[0][price_data][product]', 400)
    const { interval, interval_count: count = 1 } = recurring
    const facts = { currency, amount, taxBehavior: tax_behavior ?? null, product, recurring: { interval, count } }
    return buildPrice({ ...facts, id: createId(provider, 'price'), created: start })
  })
  const currency = priced[0]!.currency
  const amount = priced.reduce((sum, price) => sum + (price.unit_amount ?? 0), 0)
  const lines = priced.map((price) => ({ label: provider.products.get(String(price.product))!.name, amount: price.unit_amount ?? 0 }))
  const billed = {
    customer,
    subscription: id,
    reason: 'subscription_create' as const,
    created: start,
    currency,
    amount,
    balance: 0,
    attempts: 1,
    lines,
  }
  const invoice = saveInvoice(provider, billed)
  const ends = priced.map((price) => ({ price, end: periodEnd(start, price.recurring!) }))
  const made = saveSubscription(provider, { id, customer, currency, start, card, invoice: invoice.id, metadata, items: ends })
  recordEvent(provider, 'invoice.paid', invoice)
  recordEvent(provider, 'customer.subscription.created', made)
  return made
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
const SubscriptionQuery = z.strictObject({ ...Pagination, customer: z.optional(z.string()), status: z.optional(z.enum(STATUSES)) })
const SubscriptionChange = z.strictObject({
  default_payment_method: z.optional(z.string()),
  cancel_at_period_end: z.optional(Bool),
  metadata: z.optional(Metadata),
})
const ItemRemoval = z.strictObject({ proration_behavior: z.optional(z.enum(['none'])) })
const Cancellation = z.strictObject({ invoice_now: z.optional(Bool), prorate: z.optional(Bool) })

export const subscriptionEndpoints = [
  endpoint('GET', SUBSCRIPTIONS_PATH, SubscriptionQuery, ({ subscriptions }, { customer, status, ...paging }) => {
    const isAsked = (one: string) => (status === undefined ? one !== 'canceled' : status === 'all' || one === status)
    const found = [...subscriptions.values()].filter((one) => isAsked(one.status) && (customer === undefined || one.customer === customer))
    return paginate(found, paging, SUBSCRIPTIONS_PATH)
  }),
  endpoint('POST', SUBSCRIPTIONS_PATH, NewSubscription, createSubscription),
  endpoint('GET', `${SUBSCRIPTIONS_PATH}/:id`, NoInput, (provider, _, id) => getSubscription(provider, id)),
  endpoint(
    'POST',
    `${SUBSCRIPTIONS_PATH}/:id`,
    SubscriptionChange,
    (provider, { default_payment_method, cancel_at_period_end, metadata }, id) => {
      const subscription = getSubscription(provider, id)
      if (subscription.status === 'canceled') throw missingObject('subscription', id)
      if (default_payment_method !== undefined && provider.methods.get(default_payment_method)?.customer !== subscription.customer)
        throw missingObject('PaymentMethod', default_payment_method, 'default_payment_method', 400)
      return updateSubscription(provider, subscription, {
        ...(default_payment_method !== undefined && { default_payment_method }),
        ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
        ...(metadata && { metadata: { ...subscription.metadata, ...metadata } }),
      })
    },
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
