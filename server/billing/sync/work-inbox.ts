import type { Db } from '#db/sqlite/open.ts'
import { listCustomersWithEvents } from '#server/billing/records/payments.store.ts'
import type { World } from '#server/ports/world.ts'
import { syncCustomer } from './sync-customer.ts'

export type PaymentPorts = Pick<World, 'db' | 'clock' | 'payments' | 'log'>

/** Customers that are synced in parallel. */
const PARALLEL_SYNCS = 4

const runs = new WeakMap<Db, { work: Promise<void>; again: boolean }>()

/**
 * Works the whole inbox by syncing every customer that an event names. One run at a time: a call during a run waits for one more run after
 * it, so everything that was stored before the call has been worked when it resolves. What fails stays for the next run.
 */
export function processInbox(ports: PaymentPorts): Promise<void> {
  const under = runs.get(ports.db)
  if (under?.again) return under.work
  const run = { again: under !== undefined, work: Promise.resolve() }
  run.work = (under?.work ?? Promise.resolve())
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
        if (!(await trySync(ports, customer))) failed.add(customer)
    }
    await Promise.all(Array.from({ length: PARALLEL_SYNCS }, work))
  }
}

async function trySync(ports: PaymentPorts, customer: string) {
  try {
    await syncCustomer(ports, customer)
    return true
  } catch (error) {
    ports.log.error({ err: error, customer }, 'could not sync a customer with the card provider')
    return false
  }
}
