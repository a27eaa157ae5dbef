import { DAY_MS } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { raiseNumber } from '#server/billing/records/invoices.store.ts'
import { readInstant, watchFrom } from '#server/billing/records/payment-cursors.store.ts'
import { parseNumber } from '#server/billing/records/purchase-metadata.ts'
import type { World } from '#server/ports/world.ts'

type Ports = Pick<World, 'db' | 'clock' | 'payments'>

/** The longest time between an invoice's creation at Stripe and its numbering. */
const NUMBERED_WITHIN_MS = 3 * DAY_MS
/** How far back to read if the database never read Stripe's events. */
const FIRST_READ_MS = 30 * DAY_MS

const prepared = new WeakMap<Db, Promise<void>>()

/**
 * Once per process, before its first sync: raises the next number above those of all invoices at Stripe, since the database may be older
 * than they are, and decides from when on charges must have an explanation.
 */
export function prepareForSyncs(ports: Ports) {
  const known = prepared.get(ports.db) ?? prepare(ports)
  prepared.set(ports.db, known)
  return known.catch((error) => {
    prepared.delete(ports.db)
    throw error
  })
}

async function prepare(ports: Ports) {
  const { db, clock } = ports
  const read = await readInstant(db.read, 'events')
  const since = new Date(read ? read.getTime() - NUMBERED_WITHIN_MS : clock.now().getTime() - FIRST_READ_MS)
  await raiseNumbersSince(ports, since)
  if ((await readInstant(db.read, 'watched')) === null) await db.write([], (tx) => watchFrom(tx, since))
}

export async function raiseNumbersSince({ db, payments: { stripe } }: Ports, since: Date) {
  let highest = 0
  for await (const { metadata } of stripe.invoices.list({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 }))
    highest = Math.max(highest, parseNumber(metadata))
  if (highest > 0) await db.write([], (tx) => raiseNumber(tx, highest))
}
