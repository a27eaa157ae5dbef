import type Stripe from 'stripe'
import { writeDevices } from '#db/device-changes.ts'
import { keepEvents } from '#server/billing/records/payments.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { idOf } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'

const TOLERANCE_SECONDS = 300

/** Adds an event to the inbox after checking its signature over the raw body. Throws `bad_signature`. */
export async function receive(world: Pick<World, 'db' | 'clock' | 'payments'>, body: string | Buffer, signature: string) {
  const event = verified(world, body, signature)
  await takeIn(world, [event])
}

/** Adds events to the inbox and returns how many were new. */
export const takeIn = ({ db, clock }: Pick<World, 'db' | 'clock'>, events: readonly Stripe.Event[]) =>
  writeDevices(db, (tx) => keepEvents(tx, events.map(rowOf), clock.now()))

function verified({ payments, clock }: Pick<World, 'payments' | 'clock'>, body: string | Buffer, signature: string): Stripe.Event {
  const { stripe, webhookSecret } = payments
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, clock.now().getTime())
  } catch (error) {
    throw new Failure('bad_signature', {}, { cause: error })
  }
}

const rowOf = (event: Stripe.Event) => ({ id: event.id, type: event.type, customer: customerOf(event) })

type Told = { object?: string; id?: string; customer?: Named }
type Named = string | { id: string } | null

/** The customer that an event is about. Nothing else of the event is used: the state is read from Stripe. */
function customerOf({ data }: Pick<Stripe.Event, 'data'>): string | null {
  const { object, previous_attributes: before = {} }: { object: Told; previous_attributes?: object } = data
  if (object.object === 'customer') return object.id ?? null
  return idOf(object.customer) ?? ('customer' in before ? idOf(before.customer as Named) : null)
}
