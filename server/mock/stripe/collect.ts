import type Stripe from 'stripe'
import type { ChargeFault } from './cards.ts'
import { record } from './event.ts'
import { settle } from './invoice.ts'
import { chargeFault } from './payment-method.ts'
import { liveCustomer, type Provider, secondsNow } from './provider.ts'
import { change } from './subscription-changes.ts'

const DAY = 86_400
/** Days between the attempts to charge a renewal; after the last one the subscription is unpaid. */
const RETRY_AFTER_DAYS = [3, 5, 7]

type Tried = { fault: ChargeFault | null; invoice: Stripe.Invoice }
/** An automatic attempt, as for a renewal, schedules the next one when it fails. */
type Try = { isAutomatic: boolean }

/** Charges a saved card for an open invoice. */
export function attempt(provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod | undefined, how: Try): Tried {
  const fault = method ? chargeFault(provider, method) : 'declined'
  return { fault, invoice: fault ? refuse(provider, invoice, fault, how) : settleOpen(provider, invoice) }
}

/** Records a failed charge. The invoice stays open and its subscription becomes past due, or unpaid after the last attempt. */
export function refuse(provider: Provider, invoice: Stripe.Invoice, fault: ChargeFault, { isAutomatic }: Try): Stripe.Invoice {
  const count = invoice.attempt_count + 1
  const wait = RETRY_AFTER_DAYS[count - 1]
  const next = wait === undefined ? null : secondsNow(provider) + wait * DAY
  const failed: Stripe.Invoice = {
    ...invoice,
    attempt_count: count,
    attempted: true,
    next_payment_attempt: isAutomatic ? next : invoice.next_payment_attempt,
  }
  provider.invoices.set(failed.id, failed)
  record(provider, 'invoice.payment_failed', failed)
  if (fault === 'authentication_required') record(provider, 'invoice.payment_action_required', failed)
  const subscription = subscriptionOf(provider, invoice)
  if (isAutomatic && subscription) change(provider, subscription, { status: next === null ? 'unpaid' : 'past_due' })
  return failed
}

/** Marks an open invoice as paid and reactivates its subscription. */
export function settleOpen(provider: Provider, invoice: Stripe.Invoice): Stripe.Invoice {
  const settled = settle(provider, invoice)
  record(provider, 'invoice.paid', settled)
  const subscription = subscriptionOf(provider, invoice)
  if (subscription && (subscription.status === 'past_due' || subscription.status === 'unpaid'))
    change(provider, subscription, { status: 'active' })
  return settled
}

/** The card of the subscription, or else the customer's default card. */
export function cardFor(provider: Provider, invoice: Stripe.Invoice) {
  const owner = typeof invoice.customer === 'string' ? liveCustomer(provider, invoice.customer) : undefined
  const id = subscriptionOf(provider, invoice)?.default_payment_method ?? owner?.invoice_settings.default_payment_method
  return typeof id === 'string' ? provider.methods.get(id) : undefined
}

function subscriptionOf({ subscriptions }: Provider, { parent }: Stripe.Invoice) {
  const id = parent?.subscription_details?.subscription
  return typeof id === 'string' ? subscriptions.get(id) : undefined
}
