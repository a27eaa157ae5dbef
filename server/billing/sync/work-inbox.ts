import type { Db } from '#db/db.ts'
import { listCustomersWithEvents } from '#server/billing/records/payments.store.ts'
import { type PaymentPorts, trySyncCustomer } from './sync-customer.ts'

/** Customers that are synced in parallel. */
const PARALLEL_SYNCS = 4

const runs = new WeakMap<Db, { work: Promise<void>; again: boolean }>()

/**
 * Works the whole inbox by syncing every customer that an event names. One run at a time: a call during a run waits for one more run after
 * it, so everything that was stored before the call has been worked when it resolves. What fails stays for the next run.
 */
export function processInbox(ports: PaymentPorts): Promise<void> {
  const current = runs.get(ports.db)
  if (current?.again) return current.work
  const run = { again: current !== undefined, work: Promise.resolve() }
  run.work = (current?.work ?? Promise.resolve())
    .then(() => {
      run.again = false
      return drain(ports)
    })
    .finally(() => {
      if (runs.get(ports.db) === run) runs.delete(ports.db)
    })
  runs.set(ports.db, run)
  return run.work
}

async function drain(ports: PaymentPorts) {
  const failed = new Set<string>()
  for (;;) {
    const customers = (await listCustomersWithEvents(ports.db.read)).filter((customer) => !failed.has(customer))
    if (customers.length === 0) return
    const work = async () => {
      for (let customer = customers.shift(); customer !== undefined; customer = customers.shift())
        if (!(await trySyncCustomer(ports, customer))) failed.add(customer)
    }
    await Promise.all(Array.from({ length: PARALLEL_SYNCS }, work))
  }
}
