import type Stripe from 'stripe'
import type { DbReader } from '#db/db.ts'
import type { CustomerState, PartlyGranted } from '#server/billing/records/stripe-state.ts'
import {
  listKnownInvoices,
  listKnownSubscriptions,
  type Unexplained,
  type UnexplainedRow,
} from '#server/billing/records/unexplained.store.ts'
import { isRunning, stripeId } from '#server/ports/payments.ts'
import type { Log } from '#server/ports/world.ts'

type PaymentLists = Pick<CustomerState, 'sessions' | 'subscriptions' | 'invoices' | 'charges'>

/** Whether a charge took money that has not been refunded. */
export const isTaken = ({ paid, captured, refunded }: Stripe.Charge) => paid && captured && !refunded

/** The payment intents that paid an invoice. */
const paymentsOf = ({ payments }: Stripe.Invoice) => (payments?.data ?? []).flatMap(({ payment }) => stripeId(payment.payment_intent) ?? [])

/** The charges of an invoice, including one paid by a checkout. */
export function chargesOf({ invoices, sessions, charges }: Omit<PaymentLists, 'subscriptions'>, invoice: string) {
  const intents = new Set([
    ...invoices.filter(({ id }) => id === invoice).flatMap(paymentsOf),
    ...sessions.filter((session) => stripeId(session.invoice) === invoice).map(({ payment_intent }) => stripeId(payment_intent)),
  ])
  return charges.filter(({ payment_intent, paid }) => paid && intents.has(stripeId(payment_intent) ?? ''))
}

/** Whether everything paid for an invoice was refunded. */
export function isPaidBack(lists: PaymentLists, invoice: string | null) {
  const paid = invoice === null ? [] : chargesOf(lists, invoice)
  return paid.length > 0 && paid.every(({ refunded }) => refunded)
}

type Known = { accountId: number | undefined; partly: readonly PartlyGranted[]; since: Date }

/**
 * Finds payments of a customer since `since` that match no row of ours: paid invoices, running subscriptions, charges without an invoice,
 * and purchases granted in part. Refunded ones need no explanation.
 */
export async function findUnexplained(db: DbReader, lists: PaymentLists, { accountId, partly, since }: Known): Promise<Unexplained[]> {
  const reason = accountId === undefined ? 'account' : 'purchase'
  const isWatched = ({ created }: { created: number }) => created * 1000 >= since.getTime()
  const paid = lists.invoices.filter((invoice) => invoice.status === 'paid' && invoice.amount_paid > 0)
  const explained = await listKnownInvoices(db, paid)
  const open = paid.filter((invoice) => !explained.has(invoice.id) && !isPaidBack(lists, invoice.id))
  const found: Unexplained[] = open
    .filter(isWatched)
    .map(({ id, amount_paid: amount, currency, created }) => ({ id, reason, amount, currency, paidAt: toDate(created) }))
  const reported = new Set(open.map(({ parent }) => stripeId(parent?.subscription_details?.subscription)))
  for (const session of lists.sessions) {
    const part = partly.find(({ id }) => id === session.id)
    if (!part || isPaidBack(lists, stripeId(session.invoice))) continue
    found.push({ ...part, amount: session.amount_total ?? 0, currency: session.currency ?? '', paidAt: toDate(session.created) })
    reported.add(stripeId(session.subscription))
  }
  const renewing = lists.subscriptions.filter(({ id, status }) => isRunning(status) && !reported.has(id))
  const known = await listKnownSubscriptions(db, renewing)
  for (const { id, items, currency, created } of renewing) {
    const part = partly.find((one) => one.id === id)
    if (known.has(id) && !part) continue
    const amount = items.data.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1), 0)
    found.push({ id, reason: part?.reason ?? reason, amount, currency, paidAt: toDate(created) })
  }
  return [
    ...found,
    ...lists.charges.filter((charge) => isWatched(charge) && isAlone(charge, lists)).map((charge) => describeCharge(charge, reason)),
  ]
}

export const describeCharge = (
  { id, amount, amount_refunded, currency, created }: Stripe.Charge,
  reason: Unexplained['reason'],
): Unexplained => ({
  id,
  reason,
  amount: amount - amount_refunded,
  currency,
  paidAt: toDate(created),
})

/** Logs new unexplained payments, one line each. */
export function logUnexplained(log: Log, found: readonly UnexplainedRow[]) {
  for (const { id: payment, customer, reason, amount, currency } of found)
    log.error({ payment, customer, reason, amount, currency }, 'nothing explains a payment at the card provider')
}

const toDate = (seconds: number) => new Date(seconds * 1000)

/** Whether a charge belongs to neither an invoice nor a checkout with one. */
function isAlone(charge: Stripe.Charge, { invoices: told, sessions }: PaymentLists) {
  const payment = stripeId(charge.payment_intent)
  const isOfInvoice = told.some((invoice) => paymentsOf(invoice).includes(payment ?? ''))
  const isOfCheckout = sessions.some((session) => session.invoice && stripeId(session.payment_intent) === payment)
  return isTaken(charge) && !isOfInvoice && !(payment !== null && isOfCheckout)
}
