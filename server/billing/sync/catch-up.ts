import { setTimeout as wait } from 'node:timers/promises'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { findOverdueCustomer, findPendingCustomer } from '#server/billing/records/payments.store.ts'
import type { World } from '#server/ports/world.ts'
import { syncCustomer } from './sync-customer.ts'

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
