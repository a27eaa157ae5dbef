import type Stripe from 'stripe'
import { writeDevices } from '#db/device-changes.ts'
import { insertEvents } from '#server/billing/records/payments.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'

const TOLERANCE_SECONDS = 300

/** Adds an event to the inbox after checking its signature over the raw body. Throws `bad_signature`. */
export async function receiveEvent(world: Pick<World, 'db' | 'clock' | 'payments'>, body: string | Buffer, signature: string) {
  const event = verifyEvent(world, body, signature)
  await saveEvents(world, [event])
}

/** Adds events to the inbox and returns how many were new. */
export const saveEvents = ({ db, clock }: Pick<World, 'db' | 'clock'>, events: readonly Stripe.Event[]) =>
  writeDevices(db, (tx) => insertEvents(tx, events.map(toEventRow), clock.now()))

function verifyEvent({ payments, clock }: Pick<World, 'payments' | 'clock'>, body: string | Buffer, signature: string): Stripe.Event {
  const { stripe, webhookSecret } = payments
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, clock.now().getTime())
  } catch (error) {
    throw new Failure('bad_signature', {}, { cause: error })
  }
}

const toEventRow = (event: Stripe.Event) => ({ id: event.id, type: event.type, customer: eventCustomer(event) })

type EventObject = { object?: string; id?: string; customer?: CustomerReference }
type CustomerReference = string | { id: string } | null

/** The customer that an event is about. Nothing else of the event is used: the state is read from Stripe. */
function eventCustomer({ data }: Pick<Stripe.Event, 'data'>): string | null {
  const { object, previous_attributes: before = {} }: { object: EventObject; previous_attributes?: object } = data
  if (object.object === 'customer') return object.id ?? null
  return stripeId(object.customer) ?? ('customer' in before ? stripeId(before.customer as CustomerReference) : null)
}
