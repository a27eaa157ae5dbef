import type Stripe from 'stripe'
import { newId, type Provider, secondsNow } from './provider.ts'

/** Records an event with a copy of the object, so that later changes do not alter it. */
export function record<T extends Stripe.Event['type']>(
  provider: Provider,
  type: T,
  object: Extract<Stripe.Event, { type: T }>['data']['object'],
): Stripe.Event {
  const event = {
    id: newId(provider, 'evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: secondsNow(provider),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: structuredClone(object) },
  } as Stripe.Event
  provider.events.push(event)
  return event
}
