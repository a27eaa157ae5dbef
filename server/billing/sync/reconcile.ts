import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { listOverdueCustomers } from '#server/billing/records/payments.store.ts'
import { type PaymentPorts, trySyncCustomer } from './sync-customer.ts'
import { processInbox, saveEvents } from './webhook.ts'

/** The events that concern us. */
export const EVENT_TYPES = [
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
/** Stripe retries the delivery of an event for as long. */
const DELIVERY_MS = 3 * DAY_MS
/** An event may be listed a little after it happened. */
const OVERLAP_MS = 10 * 60_000

export const RECONCILE_EVERY_MS = HOUR_MS

/** Makes up for missed webhooks: reads the events since the last run, and syncs every customer for whom something should have happened. */
export async function reconcile(ports: PaymentPorts, last: Date | null) {
  const now = ports.clock.now()
  const since = last ? last.getTime() - OVERLAP_MS : now.getTime() - DELIVERY_MS
  const query = { types: EVENT_TYPES, created: { gte: Math.floor(since / 1000) }, limit: 100 }
  const events = await ports.payments.stripe.events.list(query).autoPagingToArray({ limit: 10_000 })
  await saveEvents(ports, events)
  await processInbox(ports)
  for (const customer of await listOverdueCustomers(ports.db.read, now)) await trySyncCustomer(ports, customer)
}
