import type Stripe from 'stripe'
import { type CardFault, type ChargeFault, type Expiry, findTestCard, hasExpired, type TestCard } from '#server/mock/stripe/api/cards.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { recordPayment } from '#server/mock/stripe/payments/payment-intents.ts'
import { chargeFault } from '#server/mock/stripe/payments/payment-methods.ts'
import { hostedInvoiceUrl, markPaid } from './invoice.ts'
import { updateSubscription } from './subscription.ts'

const DAY_SECONDS = 86_400
/** Days between the attempts to charge a renewal; after the last one the subscription is unpaid. */
const RETRY_AFTER_DAYS = [3, 5, 7]

type ChargeAttempt = { fault: ChargeFault | null; invoice: Stripe.Invoice }
/** An automatic attempt, as for a renewal, schedules the next one when it fails. */
type AttemptOptions = { isAutomatic: boolean }

export function attemptCharge(
  provider: Provider,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  how: AttemptOptions,
): ChargeAttempt {
  const fault = method ? chargeFault(provider, method) : 'declined'
  return { fault, invoice: fault ? recordFailedCharge(provider, invoice, fault, how) : settleInvoice(provider, invoice, method ?? null) }
}

/** Records a failed charge. The invoice stays open and its subscription becomes past due, or unpaid after the last attempt. */
function recordFailedCharge(
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
function settleInvoice(provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod | null): Stripe.Invoice {
  recordInvoicePayment(provider, invoice, method)
  const settled = markPaid(provider, invoice)
  recordEvent(provider, 'invoice.paid', settled)
  const subscription = findInvoiceSubscription(provider, invoice)
  if (subscription && WAITING_STATUSES.includes(subscription.status)) updateSubscription(provider, subscription, { status: 'active' })
  return settled
}

const WAITING_STATUSES: readonly Stripe.Subscription.Status[] = ['past_due', 'unpaid', 'incomplete']

/** Saves the payment intent of what an invoice takes, so that it can be found and refunded. */
export function recordInvoicePayment(
  provider: Provider,
  { id, amount_remaining, amount_due, currency, customer }: Stripe.Invoice,
  method: Stripe.PaymentMethod | null,
) {
  const amount = amount_remaining || amount_due
  if (amount === 0) return
  const owner = typeof customer === 'string' ? customer : null
  const intent = recordPayment(provider, { amount, currency, customer: owner, method, description: 'Payment for Invoice' })
  provider.invoicePayments.set(id, intent.id)
}

export function findInvoiceCard(provider: Provider, invoice: Stripe.Invoice) {
  const owner = typeof invoice.customer === 'string' ? findCustomer(provider, invoice.customer) : undefined
  const id = findInvoiceSubscription(provider, invoice)?.default_payment_method ?? owner?.invoice_settings.default_payment_method
  return typeof id === 'string' ? provider.methods.get(id) : undefined
}

function findInvoiceSubscription({ subscriptions }: Provider, { parent }: Stripe.Invoice) {
  const id = parent?.subscription_details?.subscription
  return typeof id === 'string' ? subscriptions.get(id) : undefined
}

/** `closed`: the invoice does not exist or cannot be paid any more. */
export type InvoicePayment = { outcome: 'paid' | 'asked' | 'closed' } | { outcome: 'refused'; fault: CardFault }

export function findFinalizedInvoice({ invoices }: Provider, id: string): Stripe.Invoice | undefined {
  const invoice = invoices.get(id)
  return invoice?.status === 'draft' ? undefined : invoice
}

/** An uncollectible invoice can still be paid. */
export const isPayable = ({ status }: Stripe.Invoice) => status === 'open' || status === 'uncollectible'

/** Pays an invoice with a card typed into its page. The card is not saved: the subscription keeps renewing with its own. */
export function payInvoice(provider: Provider, id: string, number: string, expiry: Expiry): InvoicePayment {
  const invoice = findPayableInvoice(provider, id)
  if (!invoice) return { outcome: 'closed' }
  const card = findTestCard(number)
  if (!card) return { outcome: 'refused', fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', fault: 'expired_card' }
  if (card.asks === 'never') return chargeInvoice(provider, invoice, card)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked' }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function confirmInvoicePayment(provider: Provider, id: string, isOwner: boolean): InvoicePayment {
  const invoice = findPayableInvoice(provider, id)
  const challenge = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (!invoice || !challenge) return { outcome: 'closed' }
  return isOwner ? chargeInvoice(provider, invoice, challenge.card) : { outcome: 'refused', fault: 'authentication_failed' }
}

function findPayableInvoice(provider: Provider, id: string) {
  const invoice = findFinalizedInvoice(provider, id)
  return invoice && isPayable(invoice) ? invoice : undefined
}

function chargeInvoice(provider: Provider, invoice: Stripe.Invoice, { fault }: TestCard): InvoicePayment {
  if (!fault) {
    settleInvoice(provider, invoice, null)
    return { outcome: 'paid' }
  }
  recordFailedCharge(provider, invoice, fault, { isAutomatic: false })
  return { outcome: 'refused', fault }
}

export function voidInvoice(provider: Provider, invoice: Stripe.Invoice) {
  const transitions = { ...invoice.status_transitions, voided_at: nowInSeconds(provider) }
  const voided: Stripe.Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions: transitions }
  provider.invoices.set(voided.id, voided)
  recordEvent(provider, 'invoice.voided', voided)
  return voided
}

/** Opens a draft for payment; an invoice of nothing is paid at once. */
export function finalizeInvoice(provider: Provider, draft: Stripe.Invoice, at: number): Stripe.Invoice {
  const sent: Stripe.Invoice = {
    ...draft,
    status: 'open',
    automatically_finalizes_at: null,
    effective_at: at,
    hosted_invoice_url: hostedInvoiceUrl(provider, draft.id),
    status_transitions: { ...draft.status_transitions, finalized_at: at },
  }
  provider.invoices.set(sent.id, sent)
  recordEvent(provider, 'invoice.finalized', sent)
  return sent.amount_due === 0 ? settleInvoice(provider, sent, null) : sent
}
