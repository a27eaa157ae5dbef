import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { readInstant, saveCursor } from '#server/billing/records/payment-cursors.store.ts'
import { listOverdueCustomers } from '#server/billing/records/payments.store.ts'
import { listUnexplained } from '#server/billing/records/unexplained.store.ts'
import { type PaymentPorts, trySyncCustomer } from './sync-customer.ts'
import { startWalk } from './walk-customers.ts'
import { processInbox, saveEvents } from './webhook.ts'

/** The kinds of events that we handle; Stripe lists at most 20 kinds at once. */
export const EVENT_TYPES = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refunded',
  'charge.succeeded',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.updated',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
]
/** Stripe lists events for 30 days; the remaining time is needed to read them. */
const LISTED_MS = 29 * DAY_MS
/** An event may be listed a little after it happened. */
const OVERLAP_MS = 10 * 60_000
const PAGE_SIZE = 100

export const RECONCILE_EVERY_MS = HOUR_MS

/**
 * Finds what missed webhooks would have reported: reads Stripe's events since the last run and syncs each of their customers. The time up
 * to which it has read is stored in the database, so a restored database makes it read again from there. If Stripe no longer lists events
 * that old, it syncs all customers.
 */
export async function reconcile(ports: PaymentPorts) {
  const { db, clock, payments } = ports
  const now = clock.now()
  const read = await readInstant(db.read, 'events')
  const age = read ? now.getTime() - read.getTime() : Number.POSITIVE_INFINITY
  if (read && age >= 0 && age <= LISTED_MS) {
    const created = { gte: Math.floor((read.getTime() - OVERLAP_MS) / 1000) }
    let page = await payments.stripe.events.list({ types: EVENT_TYPES, created, limit: PAGE_SIZE })
    for (;;) {
      await saveEvents(ports, page.data)
      const last = page.data.at(-1)
      if (!page.has_more || !last) break
      page = await payments.stripe.events.list({ types: EVENT_TYPES, created, limit: PAGE_SIZE, starting_after: last.id })
    }
    // Only after the oldest page is saved: Stripe lists the newest events first.
    await db.write([], (tx) => saveCursor(tx, 'events', now.toISOString()))
  } else
    await db.write([], async (tx) => {
      await startWalk(tx, now)
      await saveCursor(tx, 'events', now.toISOString())
    })
  await processInbox(ports)
  const unexplained = (await listUnexplained(db.read)).flatMap(({ customer }) => customer ?? [])
  for (const customer of new Set([...(await listOverdueCustomers(db.read, now)), ...unexplained])) await trySyncCustomer(ports, customer)
}
