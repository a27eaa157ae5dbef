import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Int, Nothing } from './endpoint.ts'
import { missing, Problem } from './problem.ts'
import { newId, type Provider, secondsNow } from './provider.ts'
import { runDue } from './renew.ts'

const PATH = '/v1/test_helpers/test_clocks'
const WEEK = 7 * 86_400
const New = z.strictObject({ frozen_time: Int, name: z.optional(z.string()) })
const Advance = z.strictObject({ frozen_time: Int })

/** Test clocks, to try out renewals of single customers; all other customers follow the clock of the world. */
export const testClockEndpoints = [
  endpoint('POST', PATH, New, (provider, { frozen_time, name = null }) => {
    const created = secondsNow(provider)
    const id = newId(provider, 'clock')
    return keep(provider, {
      id,
      object: 'test_helpers.test_clock',
      created,
      deletes_after: created + WEEK,
      frozen_time,
      livemode: false,
      name,
      status: 'ready',
      status_details: {},
    })
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id/advance`, Advance, (provider, { frozen_time }, id) => {
    const clock = find(provider, id)
    if (frozen_time <= clock.frozen_time) throw new Problem('You can only advance a test clock to a later time.', { param: 'frozen_time' })
    runDue(provider, frozen_time, id)
    return keep(provider, { ...clock, frozen_time })
  }),
  endpoint('DELETE', `${PATH}/:id`, Nothing, (provider, _, id) => {
    find(provider, id)
    provider.testClocks.delete(id)
    for (const customer of provider.customers.values())
      if (!customer.deleted && customer.test_clock === id)
        provider.customers.set(customer.id, { id: customer.id, object: 'customer', deleted: true })
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]

const find = ({ testClocks }: Provider, id: string): Stripe.TestHelpers.TestClock => {
  const clock = testClocks.get(id)
  if (!clock) throw missing('test clock', id)
  return clock
}

function keep({ testClocks }: Provider, clock: Stripe.TestHelpers.TestClock) {
  testClocks.set(clock.id, clock)
  return clock
}
