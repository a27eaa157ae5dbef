import type Stripe from 'stripe'
import type { ChargeFault } from './cards.ts'
import { recordEvent } from './event.ts'
import { markPaid } from './invoice.ts'
import { chargeFault } from './payment-method.ts'
import { findCustomer, nowInSeconds, type Provider } from './provider.ts'
import { updateSubscription } from './subscription-changes.ts'

const DAY_SECONDS = 86_400
/** Days between the attempts to charge a renewal; after the last one the subscription is unpaid. */
const RETRY_AFTER_DAYS = [3, 5, 7]

type ChargeAttempt = { fault: ChargeFault | null; invoice: Stripe.Invoice }
/** An automatic attempt, as for a renewal, schedules the next one when it fails. */
type AttemptOptions = { isAutomatic: boolean }

/** Charges a saved card for an open invoice. */
export function attemptCharge(
  provider: Provider,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  how: AttemptOptions,
): ChargeAttempt {
  const fault = method ? chargeFault(provider, method) : 'declined'
  return { fault, invoice: fault ? recordFailedCharge(provider, invoice, fault, how) : settleInvoice(provider, invoice) }
}

/** Records a failed charge. The invoice stays open and its subscription becomes past due, or unpaid after the last attempt. */
export function recordFailedCharge(
  provider: Provider,
  invoice: Stripe.Invoice,
  fault: ChargeFault,
  { isAutomatic }: AttemptOptions,
): Stripe.Invoice {
  const count = invoice.attempt_count + 1
  const wait = RETRY_AFTER_DAYS[count - 1]
  const next = wait === undefined ? null : nowInSeconds(provider) + wait * DAY_SECONDS
  const failed: Stripe.Invoice = {
    ...invoice,
    attempt_count: count,
    attempted: true,
    next_payment_attempt: isAutomatic ? next : invoice.next_payment_attempt,
  }
  provider.invoices.set(failed.id, failed)
  recordEvent(provider, 'invoice.payment_failed', failed)
  if (fault === 'authentication_required') recordEvent(provider, 'invoice.payment_action_required', failed)
  const subscription = findInvoiceSubscription(provider, invoice)
  if (isAutomatic && subscription) updateSubscription(provider, subscription, { status: next === null ? 'unpaid' : 'past_due' })
  return failed
}

/** Marks an open invoice as paid and reactivates its subscription. */
export function settleInvoice(provider: Provider, invoice: Stripe.Invoice): Stripe.Invoice {
  const settled = markPaid(provider, invoice)
  recordEvent(provider, 'invoice.paid', settled)
  const subscription = findInvoiceSubscription(provider, invoice)
  if (subscription && (subscription.status === 'past_due' || subscription.status === 'unpaid'))
    updateSubscription(provider, subscription, { status: 'active' })
  return settled
}

/** The card of the subscription, or else the customer's default card. */
export function findInvoiceCard(provider: Provider, invoice: Stripe.Invoice) {
  const owner = typeof invoice.customer === 'string' ? findCustomer(provider, invoice.customer) : undefined
  const id = findInvoiceSubscription(provider, invoice)?.default_payment_method ?? owner?.invoice_settings.default_payment_method
  return typeof id === 'string' ? provider.methods.get(id) : undefined
}

function findInvoiceSubscription({ subscriptions }: Provider, { parent }: Stripe.Invoice) {
  const id = parent?.subscription_details?.subscription
  return typeof id === 'string' ? subscriptions.get(id) : undefined
}
