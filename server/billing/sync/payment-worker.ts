import { runPeriodically } from '#server/lib/run-periodically.ts'
import { runTasks } from './payment-tasks.ts'
import { RECONCILE_EVERY_MS, reconcile } from './reconcile.ts'
import type { PaymentPorts } from './sync-customer.ts'
import { processInbox } from './work-inbox.ts'

/** Returns a function that works inbox and outbox once, and reconciles once an hour of the world's time. */
export function createPaymentWorker() {
  let reconciledAt: Date | null = null
  return async (ports: PaymentPorts) => {
    await processInbox(ports)
    await runTasks(ports)
    const now = ports.clock.now()
    const since = reconciledAt === null ? RECONCILE_EVERY_MS : now.getTime() - reconciledAt.getTime()
    if (since >= 0 && since < RECONCILE_EVERY_MS) return
    await reconcile(ports, since < 0 ? null : reconciledAt)
    reconciledAt = now
  }
}

const TICK_MS = 5000

/** Works inbox and outbox until stopped; `stop` waits for the run in progress. */
export function runPayments(ports: PaymentPorts) {
  const worker = createPaymentWorker()
  const work = () => worker(ports).catch((error) => ports.log.error({ err: error }, 'could not process payments'))
  return runPeriodically(work, TICK_MS)
}
