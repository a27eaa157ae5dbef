import type { Db } from '#db/sqlite/open.ts'
import { waitingCustomers } from '#server/billing/records/payments.store.ts'
import type { World } from '#server/ports/world.ts'
import { syncCustomer } from './sync-customer.ts'

export type Ports = Pick<World, 'db' | 'clock' | 'payments' | 'log'>

/** How many customers are read at once. */
const LANES = 4

const working = new WeakMap<Db, { work: Promise<void>; again: boolean }>()

/**
 * Works everything in the inbox: whom an event names is read anew from the provider. One run at a time; who calls during one
 * waits for another after it, so that what came in before the call is worked when it returns. What fails stays for the next run.
 */
export function workInbox(ports: Ports): Promise<void> {
  const under = working.get(ports.db)
  if (under?.again) return under.work
  const run = { again: under !== undefined, work: Promise.resolve() }
  run.work = (under?.work ?? Promise.resolve())
    .then(() => {
      run.again = false
      return drain(ports)
    })
    .finally(() => {
      if (working.get(ports.db) === run) working.delete(ports.db)
    })
  working.set(ports.db, run)
  return run.work
}

async function drain(ports: Ports) {
  const failed = new Set<string>()
  for (;;) {
    const customers = (await waitingCustomers(ports.db.read)).filter((customer) => !failed.has(customer))
    if (customers.length === 0) return
    const work = async () => {
      for (let customer = customers.shift(); customer !== undefined; customer = customers.shift())
        if (!(await tried(ports, customer))) failed.add(customer)
    }
    await Promise.all(Array.from({ length: LANES }, work))
  }
}

async function tried(ports: Ports, customer: string) {
  try {
    await syncCustomer(ports, customer)
    return true
  } catch (error) {
    ports.log.error({ err: error, customer }, 'what the card provider holds of a customer could not be read')
    return false
  }
}
