import { errors } from '#contracts/lib/errors.ts'
import { findNextTaskDate } from '#server/billing/records/payment-tasks.store.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import { receiveEvent } from '#server/billing/sync/receive.ts'
import { Failure } from '#server/lib/errors.ts'
import type { MockStripe } from '#server/mock/stripe/postman.ts'
import type { World } from '#server/ports/world.ts'

/** Plays the payment provider's events of a world and delivers them to its webhook. */
export function createPaymentPlayer(world: World, stripe: MockStripe) {
  const work = createPaymentWorker()
  const deliver = async (at: World) => {
    for (const event of stripe.takeEvents()) {
      const { payload, signature } = stripe.sign(event)
      stripe.recordDelivery(event, await webhookStatus(receiveEvent(at, payload, signature)))
    }
  }
  return {
    /** The first instant after `after` at which something is due. */
    async nextDue(after: Date) {
      const instants = [await stripe.nextDue(), await findNextTaskDate(world.db.read)].map((due) => due?.getTime() ?? 0)
      const ahead = instants.filter((instant) => instant > after.getTime())
      return ahead.length > 0 ? new Date(Math.min(...ahead)) : null
    },
    async playTo(now: Date) {
      await stripe.runUntil(now)
      const at = { ...world, clock: { now: () => now } }
      await stripe.runAt(now, async () => {
        await deliver(at)
        await work(at)
        await deliver(at)
      })
    },
  }
}

/** The status the webhook would respond with. */
const webhookStatus = (received: Promise<void>) =>
  received.then(
    () => 200,
    (error) => {
      if (error instanceof Failure) return errors[error.code]
      throw error
    },
  )
