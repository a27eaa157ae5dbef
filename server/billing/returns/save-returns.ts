import type Stripe from 'stripe'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { type InvoiceRow, invoicesOf } from '#server/billing/records/invoices.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import type { CustomerState } from '#server/billing/records/stripe-state.ts'
import { chargesOf } from '#server/billing/recovery/unexplained.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { stripeId } from '#server/ports/payments.ts'
import { takeServiceBack } from './end-service.ts'
import { addCreditNote, type CreditNoteRow, listCreditNotes, savePayments, voidCreditNote } from './returns.store.ts'

/** `before`: the invoices as they were stored before this sync. */
type Returns = { accountId: number; before: readonly InvoiceRow[]; state: CustomerState; now: Date }

type Return = Pick<CreditNoteRow, 'providerId' | 'reason' | 'amount' | 'date'>

const toDate = (seconds: number) => new Date(seconds * 1000)
const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Stores the payments of the account's invoices and a credit note for each refund and each lost dispute, made here or at Stripe. An invoice
 * that was paid back in full takes back the service that it paid for. Returns that an earlier release had seen get a credit note only.
 */
export async function saveReturns(tx: Tx, { accountId, before, state, now }: Returns) {
  const known = new Map(before.map((row) => [row.id, row]))
  const rows = await invoicesOf(tx, accountId)
  const fresh = new Map<string, CreditNoteRow[]>()
  for (const row of rows) {
    const charges = chargesOf(state, row.providerId!)
    if (charges.length === 0) continue
    await savePayments(
      tx,
      charges.map((charge) => buildPayment(charge, row)),
    )
    const noted = await listCreditNotes(tx, row.number)
    const silent = countSilent(known.get(row.id), noted)
    const added = await addNotes(tx, row, findReturns(state, charges), silent, now)
    if (added.length > 0) fresh.set(row.providerId!, added)
  }
  if (fresh.size > 0) await applyReturns(tx, { accountId, rows, state, now }, fresh)
}

function buildPayment(charge: Stripe.Charge, { accountId, number }: InvoiceRow) {
  const card = charge.payment_method_details?.card
  return {
    id: charge.id,
    accountId,
    invoiceNumber: number,
    amount: charge.amount_captured,
    currency: charge.currency,
    paidAt: toDate(charge.created),
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    country: charge.billing_details.address?.country ?? null,
  }
}

/** What went back of an invoice's charges, oldest first. */
function findReturns({ refunds, disputes }: CustomerState, charges: readonly Stripe.Charge[]) {
  const ids = new Set(charges.map(({ id }) => id))
  const ofInvoice = <T extends { charge: string | { id: string } | null }>(all: readonly T[]) =>
    all.filter(({ charge }) => ids.has(stripeId(charge) ?? ''))
  const isFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled'
  const own = ofInvoice(refunds)
  const returns: Return[] = [
    ...own
      .filter((refund) => !isFailed(refund))
      .map(({ id, amount, created }) => ({ providerId: id, reason: 'refund' as const, amount, date: toDate(created) })),
    ...ofInvoice(disputes)
      .filter(({ status }) => status === 'lost')
      .map(({ id, amount, created }) => ({ providerId: id, reason: 'dispute' as const, amount, date: toDate(created) })),
  ]
  return { returns: returns.toSorted((a, b) => a.date.getTime() - b.date.getTime()), failed: own.filter(isFailed).map(({ id }) => id) }
}

/** The amounts that an earlier release had seen and written no credit note for. */
function countSilent(row: InvoiceRow | undefined, noted: readonly CreditNoteRow[]) {
  const ofReason = (reason: CreditNoteRow['reason']) => noted.filter((note) => note.reason === reason && !note.voidedAt)
  return {
    refund: Math.max(0, (row?.refunded ?? 0) - sumOf(ofReason('refund'))),
    dispute: row?.dispute === 'lost' && ofReason('dispute').length === 0 ? Number.POSITIVE_INFINITY : 0,
  }
}

/** Adds what is missing and returns what was not seen before. */
async function addNotes(
  tx: Tx,
  invoice: InvoiceRow,
  { returns, failed }: ReturnType<typeof findReturns>,
  silent: ReturnType<typeof countSilent>,
  now: Date,
) {
  for (const id of failed) await voidCreditNote(tx, id, now)
  const fresh: CreditNoteRow[] = []
  for (const { amount, ...found } of returns) {
    const tax = invoice.tax === null || invoice.amount === 0 ? null : Math.round((invoice.tax * amount) / invoice.amount)
    const { accountId, number: invoiceNumber, currency } = invoice
    const note = await addCreditNote(tx, { ...found, amount, tax, accountId, invoiceNumber, currency })
    if (!note) continue
    if (silent[found.reason] > 0) silent[found.reason] -= amount
    else fresh.push(note)
  }
  return fresh
}

type Applied = Omit<Returns, 'before'> & { rows: readonly InvoiceRow[] }

/** Takes back the service of invoices that were paid back in full, and mails the owner each new credit note. */
async function applyReturns(tx: Tx, { accountId, rows, state, now }: Applied, fresh: ReadonlyMap<string, CreditNoteRow[]>) {
  const isReturned = async ({ number, amount }: InvoiceRow) =>
    amount > 0 && sumOf((await listCreditNotes(tx, number)).filter(({ voidedAt }) => !voidedAt)) >= amount
  const returned = new Set<string>()
  for (const row of rows) if (await isReturned(row)) returned.add(row.providerId!)
  const ended = new Set<string>()
  for (const invoice of state.invoices.toReversed())
    if (returned.has(invoice.id) && (await takeServiceBack(tx, { accountId, invoice, state, returned, now }))) ended.add(invoice.id)
  for (const row of rows)
    for (const note of fresh.get(row.providerId!) ?? []) await mailReturn(tx, note, row, { isEnded: ended.has(row.providerId!), now })
}

async function mailReturn(tx: Tx, note: CreditNoteRow, row: InvoiceRow, { isEnded, now }: { isEnded: boolean; now: Date }) {
  const owner = await findAccountOwner(tx, row.accountId)
  if (!owner || !(await claimEffect(tx, `credit note ${note.providerId}`, now))) return
  const data = {
    credit_note: String(note.id),
    number: note.number,
    invoice_number: row.number,
    amount: String(note.amount),
    currency: note.currency,
    datetime: formatInstant(note.date),
    ...(isEnded && { ended: '1' }),
    ...(note.reason === 'dispute' && { dispute: '1' }),
  }
  await queueMail(tx, { to: owner.email, template: 'refunded', ...recipientColumns(owner), data, now })
}
