import { runTasks } from '#server/billing/sync/tasks/work-tasks.ts'
import { RECONCILE_EVERY_MS, reconcile } from './reconcile.ts'
import { type PaymentPorts, processInbox } from './work-inbox.ts'

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
