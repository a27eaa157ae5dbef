import { buildWithdrawalPath } from '#contracts/billing/withdrawal.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { findAccountOwner } from '#db/people.ts'
import { findInvoiceById, type InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { type CreditNoteRow, findCreditNote } from '#server/billing/returns/returns.store.ts'
import { runInTurn } from '#server/http/access/fair-gate.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import type { World } from '#server/ports/world.ts'
import type { drawInvoice } from './draw-invoice.ts'
import { presentCreditNoteText, presentInvoiceText } from './invoice-text.ts'

export type InvoicePorts = Pick<World, 'db' | 'clock' | 'productName' | 'withdraws'> & {
  origin?: string
  payments: Pick<World['payments'], 'isLive'>
}

/** An invoice as a PDF in a language; undefined once its account is erased. */
export async function buildInvoiceFile(ports: InvoicePorts, invoice: InvoiceRow, language: Language) {
  const { db, clock, payments, productName, withdraws, origin = '' } = ports
  const owner = await findAccountOwner(db.read, invoice.accountId)
  if (!owner) return undefined
  const withdrawUrl = withdraws ? origin + buildWithdrawalPath(language, invoice.number) : undefined
  const paper = presentInvoiceText({ invoice, owner, seller: productName, isLive: payments.isLive, withdrawUrl }, language)
  return { filename: `${invoice.number}.pdf`, content: Buffer.from(await runInWorker<typeof drawInvoice>('invoice', paper, clock.now())) }
}

/** A credit note as a PDF in a language; undefined once its account is erased. */
async function buildCreditNoteFile({ db, clock, payments, productName }: InvoicePorts, note: CreditNoteRow, language: Language) {
  const owner = note.accountId === null ? undefined : await findAccountOwner(db.read, note.accountId)
  if (!owner) return undefined
  const paper = presentCreditNoteText({ note, owner, seller: productName, isLive: payments.isLive }, language)
  return { filename: `${note.number}.pdf`, content: Buffer.from(await runInWorker<typeof drawInvoice>('invoice', paper, clock.now())) }
}

/** The invoice or credit note that a mail is about, for its attachment; undefined when there is none. */
export async function buildMailedInvoice(ports: InvoicePorts, { invoice, credit_note }: Record<string, string>, language: Language) {
  if (credit_note !== undefined) {
    const note = await findCreditNote(ports.db.read, Number(credit_note))
    return note && runInTurn(ports.db, 'invoices of mails', () => buildCreditNoteFile(ports, note, language))
  }
  const row = invoice === undefined ? undefined : await findInvoiceById(ports.db.read, Number(invoice))
  return row && runInTurn(ports.db, 'invoices of mails', () => buildInvoiceFile(ports, row, language))
}
