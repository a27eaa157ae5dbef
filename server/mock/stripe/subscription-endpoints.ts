import * as z from 'zod/mini'
import { Bool, endpoint, Metadata, Nothing } from './endpoint.ts'
import { Paging, pageOf } from './list.ts'
import { makeSubscription } from './make-subscription.ts'
import { missing, Problem } from './problem.ts'
import type { Provider } from './provider.ts'
import { change, end } from './subscription-changes.ts'
import { NewSubscription } from './subscription-input.ts'

const PATH = '/v1/subscriptions'
const ITEMS = '/v1/subscription_items'
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
const Listed = z.strictObject({ ...Paging, customer: z.optional(z.string()), status: z.optional(z.enum(STATUSES)) })
const Change = z.strictObject({
  default_payment_method: z.optional(z.string()),
  cancel_at_period_end: z.optional(Bool),
  metadata: z.optional(Metadata),
})
const Removal = z.strictObject({ proration_behavior: z.optional(z.enum(['none'])) })
const Cancellation = z.strictObject({ invoice_now: z.optional(Bool), prorate: z.optional(Bool) })

export const subscriptionEndpoints = [
  endpoint('GET', PATH, Listed, ({ subscriptions }, { customer, status, ...paging }) => {
    const isAsked = (one: string) => (status === undefined ? one !== 'canceled' : status === 'all' || one === status)
    const found = [...subscriptions.values()].filter((one) => isAsked(one.status) && (customer === undefined || one.customer === customer))
    return pageOf(found, paging, PATH)
  }),
  endpoint('POST', PATH, NewSubscription, makeSubscription),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id`, Change, (provider, { default_payment_method, cancel_at_period_end, metadata }, id) => {
    const subscription = find(provider, id)
    if (subscription.status === 'canceled') throw missing('subscription', id)
    if (default_payment_method !== undefined && provider.methods.get(default_payment_method)?.customer !== subscription.customer)
      throw missing('PaymentMethod', default_payment_method, 'default_payment_method', 400)
    return change(provider, subscription, {
      ...(default_payment_method !== undefined && { default_payment_method }),
      ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
      ...(metadata && { metadata: { ...subscription.metadata, ...metadata } }),
    })
  }),
  endpoint('DELETE', `${PATH}/:id`, Cancellation, (provider, _, id) => {
    const subscription = find(provider, id)
    if (subscription.status === 'canceled') throw missing('subscription', id)
    return end(provider, subscription)
  }),
  endpoint('DELETE', `${ITEMS}/:id`, Removal, (provider, _, id) => {
    const subscription = [...provider.subscriptions.values()].find(({ items }) => items.data.some((item) => item.id === id))
    if (!subscription) throw missing('subscription_item', id, 'item')
    const data = subscription.items.data.filter((item) => item.id !== id)
    if (data.length === 0) throw new Problem('A subscription must have at least one active plan.', { param: 'item' })
    change(provider, subscription, { items: { ...subscription.items, data } })
    return { id, object: 'subscription_item', deleted: true }
  }),
]

const find = ({ subscriptions }: Provider, id: string) => {
  const subscription = subscriptions.get(id)
  if (!subscription) throw missing('subscription', id)
  return subscription
}
