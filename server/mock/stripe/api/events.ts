import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Int, missingObject, NoInput, Pagination, paginate } from './endpoint.ts'
import { createId, nowInSeconds, type Provider } from './provider.ts'

/** Records an event with a copy of the object, so that later changes do not alter it. */
export function recordEvent<T extends Stripe.Event['type']>(
  provider: Provider,
  type: T,
  object: Extract<Stripe.Event, { type: T }>['data']['object'],
): Stripe.Event {
  const event = {
    id: createId(provider, 'evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: nowInSeconds(provider),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: structuredClone(object) },
  } as Stripe.Event
  provider.events.push(event)
  return event
}

const EVENTS_PATH = '/v1/events'
const EventQuery = z.strictObject({
  ...Pagination,
  type: z.optional(z.string()),
  types: z.optional(z.array(z.string()).check(z.maxLength(20))),
  created: z.optional(z.strictObject({ gte: z.optional(Int), gt: z.optional(Int), lte: z.optional(Int), lt: z.optional(Int) })),
})

export const eventEndpoints = [
  endpoint('GET', EVENTS_PATH, EventQuery, ({ events }, { type, types, created: { gte, gt, lte, lt } = {}, ...paging }) => {
    const found = events.filter(
      (event) =>
        (!type || event.type === type) &&
        (!types || types.includes(event.type)) &&
        event.created >= (gte ?? 0) &&
        event.created > (gt ?? -1) &&
        event.created <= (lte ?? Number.POSITIVE_INFINITY) &&
        event.created < (lt ?? Number.POSITIVE_INFINITY),
    )
    return paginate(found, paging, EVENTS_PATH)
  }),
  endpoint('GET', `${EVENTS_PATH}/:id`, NoInput, ({ events }, _, id) => {
    const event = events.find((one) => one.id === id)
    if (!event) throw missingObject('event', id)
    return event
  }),
]
