import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Int, NoInput } from './endpoint.ts'
import { missingObject, Problem } from './problem.ts'
import { createId, nowInSeconds, type Provider } from './provider.ts'
import { runDue } from './renew.ts'

const TEST_CLOCKS_PATH = '/v1/test_helpers/test_clocks'
const WEEK_SECONDS = 7 * 86_400
const NewTestClock = z.strictObject({ frozen_time: Int, name: z.optional(z.string()) })
const Advance = z.strictObject({ frozen_time: Int })

/** Test clocks, to try out renewals of single customers; all other customers follow the clock of the world. */
export const testClockEndpoints = [
  endpoint('POST', TEST_CLOCKS_PATH, NewTestClock, (provider, { frozen_time, name = null }) => {
    const created = nowInSeconds(provider)
    const id = createId(provider, 'clock')
    return saveTestClock(provider, {
      id,
      object: 'test_helpers.test_clock',
      created,
      deletes_after: created + WEEK_SECONDS,
      frozen_time,
      livemode: false,
      name,
      status: 'ready',
      status_details: {},
    })
  }),
  endpoint('GET', `${TEST_CLOCKS_PATH}/:id`, NoInput, (provider, _, id) => getTestClock(provider, id)),
  endpoint('POST', `${TEST_CLOCKS_PATH}/:id/advance`, Advance, (provider, { frozen_time }, id) => {
    const clock = getTestClock(provider, id)
    if (frozen_time <= clock.frozen_time) throw new Problem('You can only advance a test clock to a later time.', { param: 'frozen_time' })
    runDue(provider, frozen_time, id)
    return saveTestClock(provider, { ...clock, frozen_time })
  }),
  endpoint('DELETE', `${TEST_CLOCKS_PATH}/:id`, NoInput, (provider, _, id) => {
    getTestClock(provider, id)
    provider.testClocks.delete(id)
    for (const customer of provider.customers.values())
      if (!customer.deleted && customer.test_clock === id)
        provider.customers.set(customer.id, { id: customer.id, object: 'customer', deleted: true })
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]

const getTestClock = ({ testClocks }: Provider, id: string): Stripe.TestHelpers.TestClock => {
  const clock = testClocks.get(id)
  if (!clock) throw missingObject('test clock', id)
  return clock
}

function saveTestClock({ testClocks }: Provider, clock: Stripe.TestHelpers.TestClock) {
  testClocks.set(clock.id, clock)
  return clock
}
