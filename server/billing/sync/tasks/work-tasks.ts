import { HOUR_MS } from '#contracts/rules/time.ts'
import { listDueTasks, type PaymentTask, postponeTask, removeFinishedTask } from '#server/billing/records/payment-tasks.store.ts'
import type { World } from '#server/ports/world.ts'
import { deleteCustomer, trimSubscription } from './at-provider.ts'

type Ports = Pick<World, 'db' | 'clock' | 'payments' | 'log'>

const FIRST_WAIT_MS = 60_000
const MAX_WAIT_MS = 6 * HOUR_MS

/**
 * Runs the due tasks. A task states the wanted end state, so it is safe to run it again when its success was not recorded. A failed task is
 * retried until it succeeds, with pauses from one minute up to six hours.
 */
export async function runTasks(ports: Ports) {
  for (const task of await listDueTasks(ports.db.read, ports.clock.now())) await runTask(ports, task)
}

async function runTask(ports: Ports, task: PaymentTask) {
  const { db, clock, log } = ports
  try {
    if (task.kind === 'trim') await trimSubscription(ports, task.ref)
    else await deleteCustomer(ports.payments.stripe, task.ref)
    await db.write((tx) => removeFinishedTask(tx, task))
  } catch (error) {
    log.error({ err: error, kind: task.kind, ref: task.ref }, 'a task at the card provider failed')
    const wait = Math.min(FIRST_WAIT_MS * 2 ** task.attempts, MAX_WAIT_MS)
    await db.write((tx) => postponeTask(tx, task, new Date(clock.now().getTime() + wait)))
  }
}
