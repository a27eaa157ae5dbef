import { writeDevices } from '#db/device-changes.ts'
import { listUnhandledEvents, markEventsHandled } from '#server/billing/records/payments.store.ts'
import { runExclusive } from '#server/billing/records/turns.ts'
import type { World } from '#server/ports/world.ts'
import { applyCustomerState } from './converge.ts'
import { moveSubscriptionsToDefault } from './provider-cards.ts'
import { readCustomer } from './read-customer.ts'

export type SyncPorts = Pick<World, 'db' | 'clock' | 'payments'>

/** Makes our rows of a customer match Stripe; each effect happens once. */
export const syncCustomer = (ports: SyncPorts, customer: string) => runExclusive(ports.db, customer, () => syncInTurn(ports, customer))

async function syncInTurn(ports: SyncPorts, customer: string) {
  const { db, clock, payments } = ports
  const heard = await listUnhandledEvents(db.read, customer)
  const told = await readCustomer(payments.stripe, customer)
  await moveSubscriptionsToDefault(ports, customer, told.cards)
  const now = clock.now()
  await writeDevices(db, async (tx, touch) => {
    await applyCustomerState(tx, customer, told, { now, touch })
    await markEventsHandled(tx, heard, now)
  })
}
