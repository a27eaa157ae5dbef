import type { FastifyInstance, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import { idOf } from '#server/lib/payments.ts'
import type { World } from '#server/lib/world.ts'
import { syncCards } from '#server/payment-methods/provider-cards.ts'
import { grant } from './grant.ts'
import { isNewEvent, takeCheckout } from './store.ts'

const TOLERANCE_SECONDS = 300

/** Where the card provider tells what happened (E-84); the signature is over the raw body. */
export function webhook(app: FastifyInstance) {
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    raw.post('/stripe/webhook/', async (request) => {
      const event = verified(request)
      await settle(request.world, event)
      const customer = customerOf(event)
      if (customer) await syncCards(request.world, customer)
      return { received: true }
    })
  })
}

function verified({ world: { payments, clock }, headers, body }: FastifyRequest): Stripe.Event {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string' || !Buffer.isBuffer(body)) throw new Failure('bad_signature')
  const { stripe, webhookSecret } = payments
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, clock.now().getTime())
  } catch (error) {
    throw new Failure('bad_signature', {}, { cause: error })
  }
}

/**
 * The event only says which checkout to look at: what became of it is read from the provider. Event and checkout are each
 * taken once, in the transaction of the effect, so that an event may come doubled, late or in parallel.
 */
async function settle({ db, clock, payments }: World, event: Stripe.Event) {
  const session = concernsCheckout(event) ? await payments.stripe.checkout.sessions.retrieve(event.data.object.id) : null
  await writeDevices(db, async (tx, touch) => {
    const now = clock.now()
    if (!(await isNewEvent(tx, { id: event.id, type: event.type, receivedAt: now }))) return
    if (!session || session.payment_status === 'unpaid') return
    const checkout = await takeCheckout(tx, session.id, now)
    if (checkout) await grant(tx, checkout, session, now, touch)
  })
}

/** Whose cards an event may be about. It says no more than that: which they are is read from the provider. */
function customerOf(event: Stripe.Event): string | null {
  switch (event.type) {
    case 'payment_method.attached':
    case 'payment_method.updated':
    case 'payment_method.automatically_updated':
    case 'checkout.session.completed':
      return idOf(event.data.object.customer)
    case 'payment_method.detached':
      return idOf(event.data.previous_attributes?.customer)
    case 'customer.updated':
      return event.data.object.id
    default:
      return null
  }
}

const concernsCheckout = (
  event: Stripe.Event,
): event is Stripe.CheckoutSessionCompletedEvent | Stripe.CheckoutSessionAsyncPaymentSucceededEvent =>
  event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded'
