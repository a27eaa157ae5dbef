import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'
import { receiveEvent } from './receive.ts'
import { processInbox } from './work-inbox.ts'

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
