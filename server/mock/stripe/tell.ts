import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { processInbox } from '#server/billing/sync/work-inbox.ts'
import type { World } from '#server/ports/world.ts'
import type { StripeFake } from './fake.ts'
import type { WebhookQueue } from './postman.ts'

type EventSource = Pick<StripeFake, 'takeEvents' | 'sign'> & Partial<Pick<WebhookQueue, 'recordDelivery'>>

/** Posts signed events to the webhook of the same world, as Stripe would over the network. Resolves once they are processed. */
export async function deliverEvents(
  app: FastifyInstance,
  world: World,
  stripe: EventSource,
  events: readonly Stripe.Event[] = stripe.takeEvents(),
) {
  for (const event of events) {
    const { payload, signature } = stripe.sign(event)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, cookie: `__world=${world.id}` }
    const answer = await app.inject({ method: 'POST', url: '/stripe/webhook/', headers, payload })
    stripe.recordDelivery?.(event, answer.statusCode)
    if (answer.statusCode !== 200) world.log.error({ status: answer.statusCode, body: answer.body }, 'the webhook refused an event')
  }
  await processInbox(world)
}
