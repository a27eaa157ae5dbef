import { and, asc, type Column, gte, lt, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { archivedInvoices, invoices } from '#db/schema/commerce.ts'
import { creditNotes, invoicePayments } from '#db/schema/returns.ts'

/** Instants from `from` until before `to`. */
export type Span = { from: Date; to: Date }
/** The last row of the page before. */
type End<K> = { date: Date; id: K }

/** Where the next page of a span lies: one range of the index of both columns, so that late pages take no longer than early ones. */
const inSpan = (date: Column, id: Column, { from, to }: Span, after: End<number | string> | undefined) =>
  and(lt(date, to), after ? sql`(${date}, ${id}) > (${sql.param(after.date, date)}, ${after.id})` : gte(date, from))

const { id, accountId, number, date, orderReference, currency, amount, tax, status } = invoices
/** Without the lines, which would take most of the time. */
const sold = { id, accountId, number, date, orderReference, currency, amount, tax, status }

export const listInvoicesBetween = (db: DbReader, span: Span, after: End<number> | undefined, limit: number) =>
  db
    .select(sold)
    .from(invoices)
    .where(inSpan(invoices.date, invoices.id, span, after))
    .orderBy(asc(invoices.date), asc(invoices.id))
    .limit(limit)

export const listArchivedBetween = (db: DbReader, span: Span, after: End<number> | undefined, limit: number) =>
  db
    .select()
    .from(archivedInvoices)
    .where(inSpan(archivedInvoices.date, archivedInvoices.id, span, after))
    .orderBy(asc(archivedInvoices.date), asc(archivedInvoices.id))
    .limit(limit)

export const listPaymentsBetween = (db: DbReader, span: Span, after: End<string> | undefined, limit: number) =>
  db
    .select()
    .from(invoicePayments)
    .where(inSpan(invoicePayments.paidAt, invoicePayments.id, span, after))
    .orderBy(asc(invoicePayments.paidAt), asc(invoicePayments.id))
    .limit(limit)

export const listCreditNotesBetween = (db: DbReader, span: Span, after: End<number> | undefined, limit: number) =>
  db
    .select()
    .from(creditNotes)
    .where(inSpan(creditNotes.date, creditNotes.id, span, after))
    .orderBy(asc(creditNotes.date), asc(creditNotes.id))
    .limit(limit)
