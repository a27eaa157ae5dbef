import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { writeDevices } from '#db/device-changes.ts'
import { insertEvents } from '#server/billing/records/payments.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { processInbox } from './work-inbox.ts'

const TOLERANCE_SECONDS = 300

/** Adds an event to the inbox after checking its signature over the raw body. Throws `bad_signature`. */
export async function receiveEvent(world: Pick<World, 'db' | 'clock' | 'payments'>, body: string | Buffer, signature: string) {
  const event = verifyEvent(world, body, signature)
  await saveEvents(world, [event])
}

/** Adds events to the inbox and returns how many were new. */
export const saveEvents = ({ db, clock }: Pick<World, 'db' | 'clock'>, events: readonly Stripe.Event[]) =>
  writeDevices(db, [], (tx) => insertEvents(tx, events.map(toEventRow), clock.now()))

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

/** Stripe's webhook: stores the event before the response and works it afterwards. */
export function stripeWebhook(app: FastifyInstance) {
  const working = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(working)))
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    raw.post('/stripe/webhook/', async ({ world, headers, body }) => {
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(body)) throw new Failure('bad_signature')
      await receiveEvent(world, body, signature)
      const work = processInbox(world)
        .catch((error) => world.log.error({ err: error }, 'could not process the payment inbox'))
        .finally(() => working.delete(work))
      working.add(work)
      return { received: true }
    })
  })
}
