import { createPaymentWorker } from './payment-worker.ts'
import type { Ports } from './work-inbox.ts'

const TICK_MS = 5000

/** Works inbox and outbox until stopped; `stop` lets what is under way finish. */
export function runPayments(ports: Ports) {
  const worker = createPaymentWorker()
  let running: Promise<unknown> | undefined
  const run = () => {
    running ??= worker(ports)
      .catch((error) => ports.log.error({ err: error }, 'payments could not be worked'))
      .finally(() => {
        running = undefined
      })
  }
  run()
  const timer = setInterval(run, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
