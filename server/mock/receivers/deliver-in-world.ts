import { listDueDeliveries } from '#server/channels/channels.store.ts'
import { type ChannelWorld, claimDue, recordOutcome, sendDelivery } from '#server/channels/deliver.ts'
import type { ReceiverFake } from './receiver-fake.ts'

const NEVER = new AbortController().signal

/**
 * Returns a function that sends what is due by an instant to the fakes of a world: one after the other in order of time, each at its own
 * instant, so that a long jump of the clock gives the same attempts as many short ones.
 */
export function createChannelPlayer(world: Omit<ChannelWorld, 'receivers'> & { receivers: ReceiverFake }) {
  const { db, receivers } = world
  let last: Promise<unknown> = Promise.resolve()
  async function sendDue(until: Date) {
    for (;;) {
      const [next] = await listDueDeliveries(db.read, until, { busy: [], limit: 1 })
      if (!next) return
      const at = next.delivery.nextAttemptAt
      const [due] = await claimDue(world, [next], at)
      if (!due) continue
      receivers.setTime(at)
      const outcome = await sendDelivery(world, due, at, NEVER)
      receivers.setTime(null)
      await db.write([], (tx) => recordOutcome(tx, outcome))
    }
  }
  return (until: Date) => {
    const run = last.then(() => sendDue(until))
    last = run.catch(() => undefined)
    return run
  }
}
