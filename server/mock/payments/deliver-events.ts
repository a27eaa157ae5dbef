import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { EVENT_TYPES } from '#server/billing/sync/reconcile.ts'
import { processInbox } from '#server/billing/sync/webhook.ts'
import type { MockStripe } from '#server/mock/stripe/index.ts'
import type { World } from '#server/ports/world.ts'

/** The portal's webhook subscribes to the events that it reads, and to two that it ignores. */
const PORTAL_EVENTS: readonly string[] = [...EVENT_TYPES, 'checkout.session.expired', 'invoice.payment_action_required']

export const isForPortal = ({ type, pending_webhooks }: Stripe.Event) => pending_webhooks !== 0 && PORTAL_EVENTS.includes(type)

type EventSource = Pick<MockStripe, 'takeEvents' | 'sign'> & Partial<Pick<MockStripe, 'recordDelivery' | 'sendToEndpoints'>>

/** Posts signed events to the webhook of the same world, as Stripe would over the network. Resolves once they are processed. */
export async function deliverEvents(
  app: FastifyInstance,
  world: World,
  stripe: EventSource,
  events: readonly Stripe.Event[] = stripe.takeEvents(),
) {
  for (const event of events) {
    await stripe.sendToEndpoints?.(event)
    if (!isForPortal(event)) continue
    const { payload, signature } = stripe.sign(event)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, cookie: `__world=${world.id}` }
    const answer = await app.inject({ method: 'POST', url: '/stripe/webhook/', headers, payload })
    stripe.recordDelivery?.(event, answer.statusCode)
    if (answer.statusCode !== 200) world.log.error({ status: answer.statusCode, body: answer.body }, 'the webhook refused an event')
  }
  await processInbox(world)
}
