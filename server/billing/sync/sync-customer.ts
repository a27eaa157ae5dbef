import { setTimeout as wait } from 'node:timers/promises'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { findOverdueCustomer, findPendingCustomer, listUnhandledEvents, markEventsHandled } from '#server/billing/records/payments.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import type { World } from '#server/ports/world.ts'
import { applyCustomerState, readCustomer } from './customer-state.ts'
import { moveSubscriptionsToDefault } from './provider-cards.ts'

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

type Ports = Pick<World, 'db' | 'clock' | 'payments' | 'log'>

/** Longest time that the return from a checkout waits for Stripe. */
const MAX_WAIT_MS = 3000

/** Syncs an account that has just been at the checkout, in case the webhook is late. Called by the page that the buyer returns to. */
export async function syncPendingCheckout(ports: Ports, accountId: number) {
  const since = new Date(ports.clock.now().getTime() - HOUR_MS)
  const customer = await findPendingCustomer(ports.db.read, accountId, since)
  if (!customer) return
  const patience = new AbortController()
  await Promise.race([syncQuietly(ports, customer), wait(MAX_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined)])
  patience.abort()
}

/** Starts a sync at sign-in when a charge is overdue; does not wait for it. */
export async function startOverdueSync(ports: Ports, accountId: number) {
  const customer = await findOverdueCustomer(ports.db.read, accountId, ports.clock.now())
  if (customer) void syncQuietly(ports, customer)
}

async function syncQuietly(ports: Ports, customer: string) {
  try {
    await syncCustomer(ports, customer)
  } catch (error) {
    ports.log.error({ err: error, customer }, 'could not sync a customer with the card provider')
  }
}
