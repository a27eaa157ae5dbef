import type Stripe from 'stripe'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { hasReceipt, parseNumber } from '#server/billing/records/purchase-metadata.ts'
import { addPaidOrder } from '#server/billing/records/subscriptions.store.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { linesOf, type PurchasedItem, type PurchaseTerms } from './grant-items.ts'

/** The paid amount and its invoice. */
export type Sale = { accountId: number; total: number; currency: string; invoice: Stripe.Invoice | undefined; invoiceId: string | null }

/** Adds the order with its invoice, mails the receipt, and returns the order's reference. */
export async function addOrder(tx: Tx, bought: readonly PurchasedItem[], sale: Sale, { tax, paidAt, now }: PurchaseTerms) {
  const metadata = sale.invoice?.metadata ?? null
  const invoice = await addPaidOrder(tx, {
    accountId: sale.accountId,
    date: paidAt,
    status: bought.some(({ replacement }) => replacement) ? 'in_progress' : 'delivered',
    total: sale.total,
    tax,
    currency: sale.currency,
    lines: bought.flatMap(linesOf),
    providerId: sale.invoiceId,
    earlierNumber: parseNumber(metadata),
  })
  const trackers = bought.flatMap(({ device }) => device ?? [])
  await mailReceipt(tx, invoice, { trackers, now, wasMailed: hasReceipt(metadata) })
  return invoice.orderReference
}

/** The tax of an invoice in minor units; null without one. */
export const sumTaxes = (invoice: Stripe.Invoice | undefined) => invoice?.total_taxes?.reduce((sum, { amount }) => sum + amount, 0) || null

export const paymentDate = (invoice: Stripe.Invoice | undefined) => {
  const at = invoice?.status_transitions.paid_at
  return at ? new Date(at * 1000) : null
}

type PaidTracker = { id: number; name: string }
type Receipt = { trackers: readonly PaidTracker[]; now: Date; wasMailed: boolean }

/**
 * Mails the owner the receipt of a paid invoice, once however often the payment is reported. `wasMailed`: Stripe's metadata say that it was
 * mailed before the database was restored.
 */
export async function mailReceipt(
  tx: Tx,
  { id, accountId, number, amount, currency, providerId }: InvoiceRow,
  { trackers, now, wasMailed }: Receipt,
) {
  const owner = await findAccountOwner(tx, accountId)
  if (!owner || !(await claimEffect(tx, `receipt ${providerId ?? number}`, now)) || wasMailed) return
  const [first] = trackers
  const data = {
    invoice: String(id),
    number,
    amount: String(amount),
    currency,
    tracker: trackers.map(({ name }) => name).join(', '),
    ...(first && trackers.length === 1 && { device: String(first.id) }),
    datetime: formatInstant(now),
  }
  await queueMail(tx, { to: owner.email, template: 'receipt', ...recipientColumns(owner), data, now })
}
