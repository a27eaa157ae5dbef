import type { World } from '#server/lib/world.ts'
import type { StripeFake } from '#server/mock/stripe/fake.ts'
import { createPaymentWorker } from '#server/payments/payment-worker.ts'
import { receive } from '#server/payments/receive.ts'
import { nextTask } from '#server/payments/tasks/store.ts'

/** What time brings about at the card provider of a world, which tells its webhook. */
export function createPaymentPlayer(world: World, stripe: StripeFake) {
  const work = createPaymentWorker()
  const deliver = async (at: World) => {
    for (const event of stripe.takeEvents()) {
      const { payload, signature } = stripe.sign(event)
      await receive(at, payload, signature)
    }
  }
  return {
    /** The next instant after `after` at which something is due. */
    async nextDue(after: Date) {
      const instants = [await stripe.nextDue(), await nextTask(world.db.read)].map((due) => due?.getTime() ?? 0)
      const ahead = instants.filter((instant) => instant > after.getTime())
      return ahead.length > 0 ? new Date(Math.min(...ahead)) : null
    },
    async playTo(now: Date) {
      await stripe.runUntil(now)
      const at = { ...world, clock: { now: () => now } }
      await stripe.at(now, async () => {
        await deliver(at)
        await work(at)
        await deliver(at)
      })
    },
  }
}
