import { setTimeout as wait } from 'node:timers/promises'
import type Stripe from 'stripe'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { findOverdueCustomer, findPendingCustomer, listUnhandledEvents, markEventsHandled } from '#server/billing/records/payments.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { describeAtStripe } from '#server/billing/recovery/describe-at-stripe.ts'
import { prepareForSyncs } from '#server/billing/recovery/invoice-numbers.ts'
import { lockPayingAccount } from '#server/billing/recovery/paying-account.store.ts'
import { chargesOf, logUnexplained } from '#server/billing/recovery/unexplained.ts'
import { count } from '#server/lib/counts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { withSpan } from '#server/lib/spans.ts'
import { isUnreachable } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { applyCustomerState, readCustomer, readRelated } from './customer-state.ts'
import { moveSubscriptionsToDefault } from './provider-cards.ts'

export type PaymentPorts = Pick<World, 'db' | 'clock' | 'payments' | 'log'>

/** Makes our rows of a customer match Stripe; each effect happens once. */
export const syncCustomer = (ports: PaymentPorts, customer: string) =>
  runExclusive(ports.db, customer, async (fence) => {
    const { db, clock, payments, log } = ports
    await prepareForSyncs(ports)
    const events = await listUnhandledEvents(db.read, customer)
    const state = await readCustomer(payments.stripe, customer)
    const related = await readRelated(payments.stripe, db.read, customer, state)
    await moveSubscriptionsToDefault(ports, customer, related.cards)
    const now = clock.now()
    const found = await writeDevices(db, lockPayingAccount(customer, state.customer), async (tx) => {
      await fence(tx)
      return applyCustomerState(tx, customer, state, related, now)
    })
    logUnexplained(log, found)
    await describeAtStripe(payments.stripe, db.read, customer, state)
    if (events.length > 0) await db.write([], (tx) => markEventsHandled(tx, events, now))
    count(db, 'payment_events_handled_total', {}, events.length)
  })

/** `intent` distinguishes this refund from others of the same invoice and amount. */
type Refund = { customer: string; amount: number; intent: string }

/**
 * Pays an invoice back to the card that paid it. A repeat with the same intent pays nothing more. An invoice with several payments gives the
 * money back in their order. Returns the amount that could not be paid back.
 */
export async function payBack(stripe: Stripe, { providerId, number }: InvoiceRow, { customer, amount, intent }: Refund) {
  // The payment of an invoice may be newer than the list of charges.
  await stripe.invoices.retrieve(providerId!, { expand: ['payments'] })
  const charges = chargesOf(await readCustomer(stripe, customer), providerId!)
  let left = amount
  for (const charge of charges) {
    const part = Math.min(left, charge.amount_captured - charge.amount_refunded)
    if (part <= 0) continue
    const idempotencyKey = sha256(`refund ${intent} ${charge.id} ${part}`)
    await stripe.refunds.create({ charge: charge.id, amount: part, metadata: { invoice: number } }, { idempotencyKey })
    left -= part
  }
  return left
}

/** Like `syncCustomer`, but logs a failure and returns whether it succeeded. */
export async function trySyncCustomer(ports: PaymentPorts, customer: string) {
  try {
    await withSpan('sync a customer with Stripe', () => syncCustomer(ports, customer))
    return true
  } catch (error) {
    count(ports.db, 'job_failures_total', { work: 'payment_sync' })
    if (!isUnreachable(error)) ports.log.error({ err: error, customer }, 'could not sync a customer with the card provider')
    return false
  }
}

/** Longest time for which the return from a checkout waits for Stripe. */
const MAX_WAIT_MS = 3000

/** Syncs an account that has just completed a checkout, in case the webhook is late. Called by the page that the buyer returns to. */
export async function syncPendingCheckout(ports: PaymentPorts, accountId: number) {
  const since = new Date(ports.clock.now().getTime() - HOUR_MS)
  const customer = await findPendingCustomer(ports.db.read, accountId, since)
  if (!customer || ports.payments.calls.isPaused()) return
  const patience = new AbortController()
  await Promise.race([trySyncCustomer(ports, customer), wait(MAX_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined)])
  patience.abort()
}

/** Starts a sync at sign-in when a charge is overdue; does not wait for it. */
export async function startOverdueSync(ports: PaymentPorts, accountId: number) {
  const customer = await findOverdueCustomer(ports.db.read, accountId, ports.clock.now())
  if (customer && !ports.payments.calls.isPaused()) void trySyncCustomer(ports, customer)
}
