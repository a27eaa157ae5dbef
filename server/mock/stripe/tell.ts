import type { FastifyInstance } from 'fastify'
import type { World } from '#server/lib/world.ts'

type Signed = { payload: string; signature: string }

/** Delivers a signed event to the server's webhook, in the same world, as the provider would over the network. */
export async function tell(app: FastifyInstance, { id, log }: World, { payload, signature }: Signed) {
  const answer = await app.inject({
    method: 'POST',
    url: '/stripe/webhook/',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, 'x-world': id },
    payload,
  })
  if (answer.statusCode !== 200) log.error({ status: answer.statusCode, body: answer.body }, 'the webhook refused a payment')
}
