import { count } from '#server/lib/counts.ts'
import { createSender, LIST_LIMIT, STOPPED } from '#server/lib/send-claimed.ts'
import { type DueDelivery, listDueDeliveries } from './channels.store.ts'
import { type ChannelWorld, claimDue, type DeliveryOutcome, recordOutcome, sendDelivery } from './deliver.ts'

const TICK_MS = 2000
const CONNECTIONS = 20
const SEND_MS = 30_000

/** If the shutdown aborts the sending of a delivery, nothing is saved: it stays claimed, and is sent again. */
type Result = DeliveryOutcome | typeof STOPPED

/** Sends the deliveries that are due until stopped; `stop` waits for those in progress. */
export function dispatchChannels(world: ChannelWorld) {
  const { run, stop } = createChannelDispatcher(world)
  world.receivers.wake = async () => void run()
  const timer = setInterval(() => void run(), TICK_MS)
  const unsubscribe = world.db.onEvent(({ type }) => {
    if (type === 'alert') void run()
  })
  return {
    stop() {
      clearInterval(timer)
      unsubscribe()
      return stop()
    },
  }
}

/** `run` sends deliveries that are due by the world's clock, and resolves to how many arrived. */
export function createChannelDispatcher(world: ChannelWorld) {
  const { db, clock, log } = world
  return createSender<DueDelivery, Result>(
    {
      list: (busy) => listDueDeliveries(db.read, clock.now(), { busy: busy.map(Number).filter(Boolean), limit: LIST_LIMIT }),
      idOf: ({ delivery }) => delivery.id,
      isUrgent: ({ delivery }) => delivery.isUrgent,
      // Neither one channel nor one host may occupy all connections.
      destinationsOf: ({ channel }) => [
        { name: String(channel.id), most: 2 },
        { name: channel.kind === 'telegram' ? channel.kind : new URL(channel.target).origin, most: CONNECTIONS / 2 },
      ],
      claim: (listed) => claimDue(world, listed, clock.now()),
      async send(due, signal) {
        const outcome = await sendDelivery(world, due, clock.now(), signal)
        return signal.reason === STOPPED ? STOPPED : outcome
      },
      record: (results) =>
        db.write([], async (tx) => {
          for (const result of results) if (result !== STOPPED) await recordOutcome(tx, result)
        }),
      judge: (result) => (result !== STOPPED && result.result !== 'late' && !result.result.failure ? 'sent' : 'failed'),
      onError(error) {
        count(db, 'job_failures_total', { work: 'channels' })
        log.error({ err: error }, 'could not send to channels')
      },
    },
    { connections: CONNECTIONS, sendMs: SEND_MS },
  )
}
