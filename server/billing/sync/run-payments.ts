import { runPeriodically } from '#server/lib/keep-doing.ts'
import { createPaymentWorker } from './payment-worker.ts'
import type { PaymentPorts } from './work-inbox.ts'

const TICK_MS = 5000

/** Works inbox and outbox until stopped; `stop` waits for the run in progress. */
export function runPayments(ports: PaymentPorts) {
  const worker = createPaymentWorker()
  const work = () => worker(ports).catch((error) => ports.log.error({ err: error }, 'could not process payments'))
  return runPeriodically(work, TICK_MS)
}
