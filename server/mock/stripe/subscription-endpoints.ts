import * as z from 'zod/mini'
import { Bool, endpoint, Metadata, NoInput } from './endpoint.ts'
import { Pagination, paginate } from './list.ts'
import { createSubscription } from './make-subscription.ts'
import { missingObject, Problem } from './problem.ts'
import type { Provider } from './provider.ts'
import { cancelSubscription, updateSubscription } from './subscription-changes.ts'
import { NewSubscription } from './subscription-input.ts'

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
