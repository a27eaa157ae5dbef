import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Paging, pageOf } from './list.ts'
import { missing } from './problem.ts'

const PATH = '/v1/subscriptions'
const Listed = z.strictObject({ ...Paging, customer: z.optional(z.string()) })
const Change = z.strictObject({ default_payment_method: z.string() })

export const subscriptionEndpoints = [
  endpoint('GET', PATH, Listed, ({ subscriptions }, { customer, ...paging }) => {
    const found = [...subscriptions.values()].filter((one) => customer === undefined || one.customer === customer)
    return pageOf(found, paging, PATH)
  }),
  endpoint('POST', `${PATH}/:id`, Change, ({ subscriptions, methods }, { default_payment_method }, id) => {
    const subscription = subscriptions.get(id)
    if (!subscription) throw missing('subscription', id)
    if (methods.get(default_payment_method)?.customer !== subscription.customer)
      throw missing('PaymentMethod', default_payment_method, 'default_payment_method', 400)
    const changed = { ...subscription, default_payment_method }
    subscriptions.set(id, changed)
    return changed
  }),
]
