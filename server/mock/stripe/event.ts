import type Stripe from 'stripe'
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
