import { writeDevices } from '#db/device-changes.ts'
import { eventsWaitingFor, handleEvents } from '#server/billing/records/payments.store.ts'
import { inTurn } from '#server/billing/records/turns.ts'
import type { World } from '#server/ports/world.ts'
import { converge } from './converge.ts'
import { followDefault } from './provider-cards.ts'
import { readCustomer } from './read-customer.ts'

export type SyncPorts = Pick<World, 'db' | 'clock' | 'payments'>

/** Makes our rows of a customer match Stripe; each effect happens once. */
export const syncCustomer = (ports: SyncPorts, customer: string) => inTurn(ports.db, customer, () => syncInTurn(ports, customer))

async function syncInTurn(ports: SyncPorts, customer: string) {
  const { db, clock, payments } = ports
  const heard = await eventsWaitingFor(db.read, customer)
  const told = await readCustomer(payments.stripe, customer)
  await followDefault(ports, customer, told.cards)
  const now = clock.now()
  await writeDevices(db, async (tx, touch) => {
    await converge(tx, customer, told, { now, touch })
    await handleEvents(tx, heard, now)
  })
}
