import type Stripe from 'stripe'
import * as z from 'zod/mini'
import {
  type CardFault,
  type ChargeFault,
  chargeError,
  type Expiry,
  findTestCard,
  hasExpired,
  type TestCard,
} from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, NoInput, Pagination, Problem, paginate } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { markPaid } from './invoice.ts'
import { chargeFault } from './payment-methods.ts'
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
  return { fault, invoice: fault ? recordFailedCharge(provider, invoice, fault, how) : settleInvoice(provider, invoice) }
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
function settleInvoice(provider: Provider, invoice: Stripe.Invoice): Stripe.Invoice {
  const settled = markPaid(provider, invoice)
  recordEvent(provider, 'invoice.paid', settled)
  const subscription = findInvoiceSubscription(provider, invoice)
  if (subscription && (subscription.status === 'past_due' || subscription.status === 'unpaid'))
    updateSubscription(provider, subscription, { status: 'active' })
  return settled
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
    settleInvoice(provider, invoice)
    return { outcome: 'paid' }
  }
  recordFailedCharge(provider, invoice, fault, { isAutomatic: false })
  return { outcome: 'refused', fault }
}

const INVOICES_PATH = '/v1/invoices'
const InvoicePaymentInput = z.strictObject({ payment_method: z.optional(z.string()) })
const InvoiceQuery = z.strictObject({
  ...Pagination,
  customer: z.optional(z.string()),
  subscription: z.optional(z.string()),
  status: z.optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
})

export const invoiceEndpoints = [
  endpoint('GET', INVOICES_PATH, InvoiceQuery, ({ invoices }, { customer, subscription, status, ...paging }) => {
    const found = [...invoices.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (!status || one.status === status) &&
        (!subscription || one.parent?.subscription_details?.subscription === subscription),
    )
    return paginate(found, paging, INVOICES_PATH)
  }),
  endpoint('GET', `${INVOICES_PATH}/:id`, NoInput, (provider, _, id) => getInvoice(provider, id)),
  endpoint('POST', `${INVOICES_PATH}/:id/pay`, InvoicePaymentInput, (provider, { payment_method }, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status === 'paid') throw new Problem('Invoice is already paid')
    if (invoice.status !== 'open') throw new Problem('Only open invoices can be paid.')
    const { fault, invoice: tried } = attemptCharge(provider, invoice, getPaymentMethod(provider, invoice, payment_method), {
      isAutomatic: false,
    })
    if (fault) throw chargeError(fault)
    return tried
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/void`, NoInput, (provider, _, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw new Problem('You can only pass in open invoices.')
    const transitions = { ...invoice.status_transitions, voided_at: nowInSeconds(provider) }
    const voided: Stripe.Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions: transitions }
    provider.invoices.set(id, voided)
    recordEvent(provider, 'invoice.voided', voided)
    return voided
  }),
]

const getInvoice = ({ invoices }: Provider, id: string) => {
  const invoice = invoices.get(id)
  if (!invoice) throw missingObject('invoice', id, 'invoice')
  return invoice
}

/** The requested card, or else the customer's default card. */
function getPaymentMethod(provider: Provider, { customer }: Stripe.Invoice, requestedId: string | undefined) {
  const owner = typeof customer === 'string' ? findCustomer(provider, customer) : undefined
  const id = requestedId ?? owner?.invoice_settings.default_payment_method
  if (typeof id !== 'string')
    throw new Problem('This customer has no attached payment source or default payment method.', { code: 'resource_missing' })
  const method = provider.methods.get(id)
  if (!method || method.customer !== customer) throw missingObject('PaymentMethod', id, 'payment_method', 400)
  return method
}
