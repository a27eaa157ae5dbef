import type Stripe from 'stripe'
import type { DisputeStatus } from '#contracts/billing/invoices.ts'
import type { InvoiceStatus } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { mailReceipt, sumTaxes } from '#server/billing/grants/add-order.ts'
import { addInvoice, changeInvoice, dropInvoice, invoicesOf, soldBy } from '#server/billing/records/invoices.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import { hasReceipt, parseNumber } from '#server/billing/records/purchase-metadata.ts'
import type { CustomerState } from '#server/billing/records/stripe-state.ts'
import { lineLabel } from '#server/billing/records/subscriptions.present.ts'
import { chargesOf } from '#server/billing/recovery/unexplained.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { stripeId } from '#server/ports/payments.ts'

/**
 * Stores the account's invoices as they are at Stripe. Only renewals add rows here, since a purchase inserts its invoice with the order.
 * The owner gets one mail per invoice that could not be charged, and a receipt for each paid one.
 */
export async function saveInvoices(tx: Tx, accountId: number, told: readonly Stripe.Invoice[], lists: CustomerState, now: Date) {
  const known = new Map((await invoicesOf(tx, accountId)).map((row) => [row.providerId, row]))
  for (const invoice of told) {
    const row = known.get(invoice.id)
    if (invoice.status === 'draft') continue
    if (invoice.status === 'void') {
      if (row && row.status !== 'paid') await dropInvoice(tx, row.id)
      continue
    }
    if (!row && isStartOfTrial(invoice)) continue
    const state = { status: invoiceStatus(invoice), balance: invoice.amount_remaining, ...findReturns(lists, invoice.id) }
    const renewed = stripeId(invoice.parent?.subscription_details?.subscription)
    const saved = row
      ? await changeInvoice(tx, row.id, state)
      : renewed && invoice.billing_reason !== 'subscription_create'
        ? await addInvoice(tx, { ...(await buildInvoice(tx, invoice, renewed)), accountId, ...state }, parseNumber(invoice.metadata))
        : null
    if (!saved) continue
    if (state.status === 'paid' && row?.status !== 'paid')
      await mailReceipt(tx, saved, { trackers: await listTrackers(tx, renewed), now, wasMailed: hasReceipt(invoice.metadata) })
    if (state.status === 'failed' && row?.status !== 'failed') await mailPaymentFailure(tx, accountId, invoice, now)
  }
}

/** Stripe writes one of zero when a pause moves the next charge. */
const isStartOfTrial = ({ billing_reason, total }: Stripe.Invoice) => billing_reason === 'subscription_update' && total === 0

/** The refunded amount of an invoice, and whether it is disputed at the bank: the newest dispute counts. */
function findReturns(lists: CustomerState, invoice: string) {
  const charges = chargesOf(lists, invoice)
  const ids = new Set(charges.map(({ id }) => id))
  const dispute = lists.disputes.filter(({ charge }) => ids.has(stripeId(charge) ?? '')).at(-1)
  return {
    refunded: charges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    dispute: dispute ? disputeStatus(dispute) : null,
  }
}

/** An answered or withdrawn inquiry of the bank has taken no money, so it counts as won. */
function disputeStatus({ status }: Stripe.Dispute): DisputeStatus {
  if (status === 'lost') return 'lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
}

/** Invoices that Stripe has marked uncollectible count as failed: they can still be paid. */
function invoiceStatus({ status, attempt_count }: Stripe.Invoice): InvoiceStatus {
  if (status === 'paid') return 'paid'
  return status === 'open' && attempt_count === 0 ? 'open' : 'failed'
}

async function buildInvoice(tx: Tx, invoice: Stripe.Invoice, subscription: string) {
  const sold = await soldBy(tx, subscription)
  const lines = invoice.lines.data.flatMap((line) => {
    const price = parseProductId(line.pricing?.price_details?.product ?? '')
    const renewed = sold.find((one) => one.price.id === price)
    if (renewed) sold.splice(sold.indexOf(renewed), 1)
    const label = renewed ? lineLabel(renewed.price, renewed.device) : (line.description ?? '')
    return { label, quantity: 1, unit_amount: line.amount }
  })
  return {
    providerId: invoice.id,
    date: new Date((invoice.status_transitions.finalized_at ?? invoice.created) * 1000),
    amount: invoice.total,
    currency: invoice.currency,
    tax: sumTaxes(invoice),
    lines,
  }
}

const listTrackers = async (tx: Tx, subscription: string | null) => {
  const sold = subscription === null ? [] : await soldBy(tx, subscription)
  return [...new Map(sold.map(({ deviceId, device }) => [deviceId, { id: deviceId, name: device }])).values()]
}

async function mailPaymentFailure(tx: Tx, accountId: number, { id, amount_remaining: amount, currency }: Stripe.Invoice, now: Date) {
  const owner = await findAccountOwner(tx, accountId)
  if (!owner || !(await claimEffect(tx, `failed ${id}`, now))) return
  const data = { amount: String(amount), currency, datetime: formatInstant(now) }
  await queueMail(tx, { to: owner.email, template: 'payment_failed', ...recipientColumns(owner), data, now })
}
