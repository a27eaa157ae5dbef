import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Db } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { insertEvents, listCustomersWithEvents } from '#server/billing/records/payments.store.ts'
import { count } from '#server/lib/counts.ts'
import { Failure } from '#server/lib/errors.ts'
import { isUnreachable, stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { assignCharges } from './assign-charges.ts'
import { type PaymentPorts, trySyncCustomer } from './sync-customer.ts'

/** The number of customers that are synced in parallel. */
const PARALLEL_SYNCS = 4

const runs = new WeakMap<Db, { work: Promise<void>; again: boolean }>()

/**
 * Drains the inbox by syncing every customer that an event names. One run at a time: a call during a run waits for one more run after it,
 * so everything stored before the call has been processed when it resolves. Failures stay for the next run.
 */
export function processInbox(ports: PaymentPorts): Promise<void> {
  const current = runs.get(ports.db)
  if (current?.again) return current.work
  const run = { again: current !== undefined, work: Promise.resolve() }
  run.work = (current?.work ?? Promise.resolve())
    .then(() => {
      run.again = false
      return drain(ports)
    })
    .finally(() => {
      if (runs.get(ports.db) === run) runs.delete(ports.db)
    })
  runs.set(ports.db, run)
  return run.work
}

async function drain(ports: PaymentPorts) {
  const { calls } = ports.payments
  if (calls.isPaused()) return
  await assignCharges(ports)
  const failed = new Set<string>()
  while (!calls.isPaused()) {
    const customers = (await listCustomersWithEvents(ports.db.read)).filter((customer) => !failed.has(customer))
    if (customers.length === 0) return
    const work = async () => {
      for (let customer = customers.shift(); customer !== undefined && !calls.isPaused(); customer = customers.shift())
        if (!(await trySyncCustomer(ports, customer))) failed.add(customer)
    }
    await Promise.all(Array.from({ length: PARALLEL_SYNCS }, work))
  }
}

const TOLERANCE_SECONDS = 300

/** Adds an event to the inbox after checking its signature over the raw body. Throws `bad_signature`. */
export async function receiveEvent(world: Pick<World, 'db' | 'clock' | 'payments'>, body: string | Buffer, signature: string) {
  try {
    const event = verifyEvent(world, body, signature)
    const added = await saveEvents(world, [event])
    count(world.db, 'webhooks_total', { outcome: added > 0 ? 'received' : 'repeated' })
  } catch (error) {
    count(world.db, 'webhooks_total', { outcome: error instanceof Failure ? 'refused' : 'failed' })
    throw error
  }
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

function toEventRow(event: Stripe.Event) {
  const customer = eventCustomer(event)
  return { id: event.id, type: event.type, customer, charge: customer === null ? eventCharge(event) : null }
}

type EventObject = { object?: string; id?: string; customer?: CustomerReference; charge?: CustomerReference }
type CustomerReference = string | { id: string } | null

/** The charge of an event without a customer: a dispute does not name the customer, and a charge may have none. */
function eventCharge({ data }: Pick<Stripe.Event, 'data'>): string | null {
  const { object }: { object: EventObject } = data
  return object.object === 'charge' ? (object.id ?? null) : object.object === 'dispute' ? stripeId(object.charge) : null
}

/** The customer of an event. Nothing else of the event is used: the state is read from Stripe. */
function eventCustomer({ data }: Pick<Stripe.Event, 'data'>): string | null {
  const { object, previous_attributes: before = {} }: { object: EventObject; previous_attributes?: object } = data
  if (object.object === 'customer') return object.id ?? null
  return stripeId(object.customer) ?? ('customer' in before ? stripeId(before.customer as CustomerReference) : null)
}

/** Stripe's webhook: stores the event before the response and processes it afterwards. */
export function stripeWebhook(app: FastifyInstance) {
  const working = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(working)))
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    raw.post('/stripe/webhook/', async ({ world, headers, body }) => {
      const signature = headers['stripe-signature']
      await receiveEvent(world, Buffer.isBuffer(body) ? body : '', typeof signature === 'string' ? signature : '')
      const work = processInbox(world)
        .catch((error) => {
          if (!isUnreachable(error)) world.log.error({ err: error }, 'could not process the payment inbox')
        })
        .finally(() => working.delete(work))
      working.add(work)
      return { received: true }
    })
  })
}
