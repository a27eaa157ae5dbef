import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '#db/db.ts'
import { orders } from '#db/schema/commerce.ts'
import { watchFrom } from '#server/billing/records/payment-cursors.store.ts'
import { countUnhandledEvents } from '#server/billing/records/payments.store.ts'
import { acceptUnexplained, listUnexplained, type UnexplainedRow } from '#server/billing/records/unexplained.store.ts'
import { raiseNumbersSince } from '#server/billing/recovery/invoice-numbers.ts'
import { findGuestCharges } from '#server/billing/sync/assign-charges.ts'
import type { PaymentPorts } from '#server/billing/sync/sync-customer.ts'
import { continueWalk, startWalk } from '#server/billing/sync/walk-customers.ts'
import { processInbox } from '#server/billing/sync/webhook.ts'

type Print = (line: string) => void
/** `isServed`: a running server drains the inbox, and no other process may. */
type Options = { since: Date; print: Print; isServed: boolean }

const POLL_MS = 1000
/** Polls without progress until the command gives up; the server continues by itself. */
const PATIENCE = 120

/**
 * Syncs all customers of Stripe, and lists the charges since an instant that match no row of ours. Prints its progress. A customer that
 * could not be synced stays in the inbox, so a server or another run continues with it; returns whether none is left.
 */
export async function reconcileSince(ports: PaymentPorts, { since, print, isServed }: Options): Promise<boolean> {
  const { db, clock } = ports
  const before = await countOrders(db)
  await raiseNumbersSince(ports, since)
  await db.write([], async (tx) => {
    await watchFrom(tx, since)
    await startWalk(tx, clock.now())
  })
  const work = isServed ? () => waitForServer(db, print) : () => processInbox(ports)
  let seen = 0
  for (let count = await continueWalk(ports); count !== null; count = await continueWalk(ports)) {
    seen += count
    await work()
    print(`${seen} customers, ${(await countOrders(db)) - before} purchases restored`)
  }
  await findGuestCharges(ports, since)
  const unexplained = await listUnexplained(db.read)
  print(`Done. ${unexplained.length} payments have no explanation.`)
  for (const row of unexplained) print(describeUnexplained(row))
  const left = await countUnhandledEvents(db.read)
  if (left > 0) print(`${left} events or customers could not be read. Run the command again, or start the server.`)
  return left === 0
}

/** Lists the unexplained payments, or marks some as acknowledged: they no longer count in the metric. */
export async function showUnexplained({ db, clock }: Pick<PaymentPorts, 'db' | 'clock'>, accepted: readonly string[], print: Print) {
  if (accepted.length > 0) print(`${await db.write([], (tx) => acceptUnexplained(tx, accepted, clock.now()))} payments are accepted.`)
  else for (const row of await listUnexplained(db.read)) print(describeUnexplained(row))
}

const describeUnexplained = ({ id, customer, reason, amount, currency, paidAt }: UnexplainedRow) =>
  JSON.stringify({ payment: id, customer, reason, amount, currency, paid: paidAt.toISOString() })

const countOrders = (db: Db) => db.read.$count(orders)

async function waitForServer(db: Db, print: Print) {
  let last = Number.POSITIVE_INFINITY
  for (let idle = 0; idle < PATIENCE; idle++) {
    const left = await countUnhandledEvents(db.read)
    if (left === 0) return
    if (left < last) {
      print(`${left} customers wait for the server`)
      idle = 0
    }
    last = left
    await wait(POLL_MS)
  }
}
