import type Stripe from 'stripe'
import { type CardFault, type ChargeFault, type Expiry, findTestCard, hasExpired, type TestCard } from '#server/mock/stripe/api/cards.ts'
import { buildInvoicePayment, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { createRefund } from '#server/mock/stripe/payments/charges.ts'
import { closeDispute, openDispute } from '#server/mock/stripe/payments/disputes.ts'
import { askOwner, buildIntent, cancelIntent, chargeIntent, isAsked, saveIntent } from '#server/mock/stripe/payments/payment-intents.ts'
import { chargeFault } from '#server/mock/stripe/payments/payment-methods.ts'
import { hostedInvoiceUrl, markPaid } from './invoice.ts'
import { updateSubscription } from './subscription.ts'

const DAY_SECONDS = 86_400
/** Days between the attempts to charge a renewal; after the last one the subscription is unpaid. */
const RETRY_AFTER_DAYS = [3, 5, 7]

type ChargeAttempt = { fault: ChargeFault | null; invoice: Stripe.Invoice }
/**
 * An automatic attempt, as for a renewal, schedules the next one when it fails. At the start of a subscription the cardholder may be there to
 * confirm.
 */
type AttemptOptions = { isAutomatic: boolean; isOnSession?: boolean }

export function attemptCharge(
  provider: Provider,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  how: AttemptOptions,
): ChargeAttempt {
  if (!method) return { fault: 'declined', invoice: recordFailedCharge(provider, invoice, how) }
  const intent = saveIntent(provider, { ...ensureIntent(provider, invoice), payment_method: method.id })
  if (how.isOnSession && isAsked(provider, method)) {
    askOwner(provider, intent)
    return { fault: 'authentication_required', invoice: recordFailedCharge(provider, invoice, how, 'authentication_required') }
  }
  const fault = chargeFault(provider, method)
  return { fault, invoice: takeMoney(provider, invoice, method, fault, how) }
}

/** Charges the intent of an invoice with the given outcome; without a method, a card that is not saved. */
function takeMoney(
  provider: Provider,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | null,
  fault: ChargeFault | null,
  how: AttemptOptions,
): Stripe.Invoice {
  try {
    chargeIntent(provider, ensureIntent(provider, invoice), method, fault)
  } catch (error) {
    if (error instanceof Problem) return recordFailedCharge(provider, invoice, how, fault)
    throw error
  }
  return settleInvoice(provider, invoice, method)
}

/** Applies the result of a payment intent that a client has confirmed to its invoice. */
export function applyPayment(provider: Provider, intent: Stripe.PaymentIntent) {
  const [id] = [...provider.invoicePayments].find(([, payment]) => payment === intent.id) ?? []
  const invoice = id === undefined ? undefined : provider.invoices.get(id)
  if (!invoice || !isPayable(invoice)) return
  if (intent.status === 'succeeded') settleInvoice(provider, invoice, provider.methods.get(String(intent.payment_method)) ?? null)
  else if (intent.status === 'requires_action') recordEvent(provider, 'invoice.payment_action_required', invoice)
  else if (intent.status === 'requires_payment_method') recordFailedCharge(provider, invoice, { isAutomatic: false })
}

/** Records a failed charge. The invoice stays open and its subscription becomes past due, or unpaid after the last attempt. */
function recordFailedCharge(
  provider: Provider,
  invoice: Stripe.Invoice,
  { isAutomatic }: AttemptOptions,
  fault: ChargeFault | null = null,
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
export function settleInvoice(provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod | null): Stripe.Invoice {
  const settled = markPaid(provider, invoice)
  recordEvent(provider, 'invoice.paid', settled)
  recordEvent(provider, 'invoice.payment_succeeded', settled)
  const payment = provider.invoicePayments.get(invoice.id)
  if (payment) recordEvent(provider, 'invoice_payment.paid', buildInvoicePayment(settled, payment))
  const subscription = findInvoiceSubscription(provider, invoice)
  if (!subscription) return settled
  const changes = {
    ...(WAITING_STATUSES.includes(subscription.status) && { status: 'active' as const }),
    ...(method &&
      subscription.payment_settings?.save_default_payment_method === 'on_subscription' && { default_payment_method: method.id }),
  }
  if (Object.keys(changes).length > 0) updateSubscription(provider, subscription, changes)
  return settled
}

const WAITING_STATUSES: readonly Stripe.Subscription.Status[] = ['past_due', 'unpaid', 'incomplete']

const PURPOSES: Record<string, string> = { subscription_create: 'Subscription creation', subscription_cycle: 'Subscription update' }

/** The payment intent of an invoice, created when it is finalized; seeded invoices get theirs when they are paid. */
function ensureIntent(provider: Provider, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const known = provider.paymentIntents.get(String(provider.invoicePayments.get(invoice.id)))
  if (known) return known
  const { amount_remaining, amount_due, currency, customer, billing_reason, parent } = invoice
  const intent = saveIntent(provider, {
    ...buildIntent(provider, { amount: amount_remaining || amount_due, currency, capture_method: 'automatic' }),
    customer,
    description: PURPOSES[billing_reason ?? ''] ?? 'Payment for Invoice',
    setup_future_usage: parent?.subscription_details ? 'off_session' : null,
  })
  provider.invoicePayments.set(invoice.id, intent.id)
  recordEvent(provider, 'payment_intent.created', intent)
  return intent
}

/** Sets the card of an open invoice's intent, which a client will confirm. */
export const prepareIntent = (provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod) =>
  saveIntent(provider, { ...ensureIntent(provider, invoice), payment_method: method.id, status: 'requires_confirmation' })

/** Takes the money for an invoice after a checkout has tried its card. */
export const settleNow = (provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod) =>
  invoice.status === 'paid' ? invoice : takeMoney(provider, invoice, method, null, { isAutomatic: false })

/** Saves the payment of an invoice that was paid before the fake started, so that it can be found and refunded. */
function recordInvoicePayment(provider: Provider, invoice: Stripe.Invoice, method: Stripe.PaymentMethod | null) {
  if (invoice.amount_due > 0) chargeIntent(provider, ensureIntent(provider, invoice), method, null)
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
  takeMoney(provider, invoice, null, fault, { isAutomatic: false })
  return fault ? { outcome: 'refused', fault } : { outcome: 'paid' }
}

export function voidInvoice(provider: Provider, invoice: Stripe.Invoice) {
  const transitions = { ...invoice.status_transitions, voided_at: nowInSeconds(provider) }
  const voided: Stripe.Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions: transitions }
  provider.invoices.set(voided.id, voided)
  const intent = provider.paymentIntents.get(String(provider.invoicePayments.get(invoice.id)))
  if (intent && intent.status !== 'canceled') cancelIntent(provider, intent, 'void_invoice')
  recordEvent(provider, 'invoice.voided', voided)
  return voided
}

export function markUncollectible(provider: Provider, invoice: Stripe.Invoice): Stripe.Invoice {
  const transitions = { ...invoice.status_transitions, marked_uncollectible_at: nowInSeconds(provider) }
  const marked: Stripe.Invoice = { ...invoice, status: 'uncollectible', next_payment_attempt: null, status_transitions: transitions }
  provider.invoices.set(marked.id, marked)
  recordEvent(provider, 'invoice.marked_uncollectible', marked)
  return marked
}

/** Opens a draft for payment; an invoice with total zero is paid at once. */
export function finalizeInvoice(provider: Provider, draft: Stripe.Invoice, at: number): Stripe.Invoice {
  const sent: Stripe.Invoice = {
    ...applyBalance(provider, draft),
    status: 'open',
    automatically_finalizes_at: null,
    effective_at: at,
    hosted_invoice_url: hostedInvoiceUrl(provider, draft.id),
    status_transitions: { ...draft.status_transitions, finalized_at: at },
  }
  provider.invoices.set(sent.id, sent)
  recordEvent(provider, 'invoice.finalized', sent)
  if (sent.amount_due === 0) return settleInvoice(provider, sent, null)
  ensureIntent(provider, sent)
  return sent
}

/** Uses up the customer's credit, which is a negative balance; a negative invoice becomes credit. */
function applyBalance(provider: Provider, draft: Stripe.Invoice): Stripe.Invoice {
  const customer = findCustomer(provider, String(draft.customer))
  const before = customer?.balance ?? 0
  const due = Math.max(0, draft.total + before)
  const after = draft.total + before - due
  if (customer && after !== before) {
    const changed = { ...customer, balance: after }
    provider.customers.set(customer.id, changed)
    recordEvent(provider, 'customer.updated', changed, customer)
  }
  return { ...draft, amount_due: due, amount_remaining: due, starting_balance: before, ending_balance: after }
}

const findCheckoutPayment = ({ sessions }: Provider, id: string) =>
  [...sessions.values()].find((session) => session.invoice === id)?.payment_intent

/** Saves the payment of a paid invoice that has none yet, because it was paid before the fake started. */
export function ensurePayment(provider: Provider, invoice: Stripe.Invoice) {
  if (invoice.status !== 'paid' || provider.invoicePayments.has(invoice.id) || findCheckoutPayment(provider, invoice.id)) return
  recordInvoicePayment(provider, invoice, findInvoiceCard(provider, invoice) ?? null)
}

/** The charge that paid an invoice. A seeded invoice gets one now, since it was paid before the fake started. */
function findInvoiceCharge(provider: Provider, id: string): Stripe.Charge | undefined {
  const invoice = provider.invoices.get(id)
  if (invoice?.status !== 'paid') return undefined
  ensurePayment(provider, invoice)
  const ofCheckout = findCheckoutPayment(provider, id)
  const intent = provider.paymentIntents.get(provider.invoicePayments.get(id) ?? String(ofCheckout))
  return provider.charges.get(String(intent?.latest_charge))
}

/** Opens a dispute of an invoice's payment, unless there is one, and closes it when the bank has decided. */
export function disputeInvoice(provider: Provider, id: string, outcome: 'open' | 'won' | 'lost') {
  const charge = findInvoiceCharge(provider, id)
  if (!charge) return undefined
  const dispute = [...provider.disputes.values()].find((one) => one.charge === charge.id) ?? openDispute(provider, charge)
  return outcome === 'open' ? dispute : closeDispute(provider, dispute, outcome)
}

/** Refunds a part of an invoice's payment, or all that is left. Throws a problem for more than that. */
export function refundInvoice(provider: Provider, id: string, amount: number | undefined) {
  const charge = findInvoiceCharge(provider, id)
  if (!charge) return undefined
  createRefund(provider, { charge: charge.id, amount })
  return provider.charges.get(charge.id)
}
