import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject } from './endpoint.ts'
import type { EventType } from './event-types.ts'
import { Created, isCreatedWithin, Pagination, paginate } from './lists.ts'
import { NoInput } from './parameters.ts'
import { createId, nowInSeconds, type Provider } from './provider.ts'

/**
 * Records an event with a copy of the object, so that later changes do not alter it. With `previous`, the event contains the previous
 * values of changed fields.
 */
export function recordEvent<T extends EventType>(
  provider: Provider,
  type: T,
  object: Extract<Stripe.Event, { type: T }>['data']['object'],
  previous?: object,
): Stripe.Event {
  const event = {
    id: createId(provider, 'evt'),
    object: 'event',
    api_version: API_VERSION,
    created: nowInSeconds(provider),
    livemode: false,
    pending_webhooks: provider.caller?.isPortal && OWN_CHANGES.includes(type) ? 0 : 1,
    request: { id: provider.caller?.id ?? null, idempotency_key: provider.caller?.idempotencyKey ?? null },
    type,
    data: { object: structuredClone(object), ...(previous && { previous_attributes: pickChanged(previous, object) }) },
  } as Stripe.Event
  provider.events.push(event)
  return event
}

/** The portal needs no webhook for its own changes: it syncs after them. */
const OWN_CHANGES: readonly string[] = ['customer.updated', 'payment_method.detached']

const pickChanged = (before: object, now: object) => {
  const later = now as Record<string, unknown>
  return structuredClone(
    Object.fromEntries(Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(later[name]))),
  )
}

/** The version that determines the form of responses and events. */
export const API_VERSION = '2026-10-28.endive'

const EVENTS_PATH = '/v1/events'
const EventQuery = z.strictObject({
  ...Pagination,
  type: z.optional(z.string()),
  types: z.optional(z.array(z.string()).check(z.maxLength(20))),
  created: Created,
})

export const eventEndpoints = [
  endpoint('GET', EVENTS_PATH, EventQuery, ({ events }, { type, types, created, ...paging }) => {
    const found = events.filter(
      (event) => (!type || event.type === type) && (!types || types.includes(event.type)) && isCreatedWithin(event, created),
    )
    return paginate(found, paging, EVENTS_PATH)
  }),
  endpoint('GET', `${EVENTS_PATH}/:id`, NoInput, ({ events }, _, id) => {
    const event = events.find((one) => one.id === id)
    if (!event) throw missingObject('event', id)
    return event
  }),
]
