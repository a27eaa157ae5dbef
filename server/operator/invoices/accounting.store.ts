import { and, asc, eq, gt, gte, lt, or } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { archivedInvoices, invoices } from '#db/schema/commerce.ts'
import { creditNotes, invoicePayments } from '#db/schema/returns.ts'

/** Instants from `from` until before `to`. */
export type Span = { from: Date; to: Date }

export const listInvoicesBetween = (db: DbReader, { from, to }: Span, after: { date: Date; id: number } | undefined, limit: number) =>
  db
    .select()
    .from(invoices)
    .where(
      and(
        gte(invoices.date, from),
        lt(invoices.date, to),
        after && or(gt(invoices.date, after.date), and(eq(invoices.date, after.date), gt(invoices.id, after.id))),
      ),
    )
    .orderBy(asc(invoices.date), asc(invoices.id))
    .limit(limit)

export const listArchivedBetween = (db: DbReader, { from, to }: Span, after: { date: Date; id: number } | undefined, limit: number) =>
  db
    .select()
    .from(archivedInvoices)
    .where(
      and(
        gte(archivedInvoices.date, from),
        lt(archivedInvoices.date, to),
        after && or(gt(archivedInvoices.date, after.date), and(eq(archivedInvoices.date, after.date), gt(archivedInvoices.id, after.id))),
      ),
    )
    .orderBy(asc(archivedInvoices.date), asc(archivedInvoices.id))
    .limit(limit)

export const listPaymentsBetween = (db: DbReader, { from, to }: Span, after: { date: Date; id: string } | undefined, limit: number) =>
  db
    .select()
    .from(invoicePayments)
    .where(
      and(
        gte(invoicePayments.paidAt, from),
        lt(invoicePayments.paidAt, to),
        after && or(gt(invoicePayments.paidAt, after.date), and(eq(invoicePayments.paidAt, after.date), gt(invoicePayments.id, after.id))),
      ),
    )
    .orderBy(asc(invoicePayments.paidAt), asc(invoicePayments.id))
    .limit(limit)

export const listCreditNotesBetween = (db: DbReader, { from, to }: Span, after: { date: Date; id: number } | undefined, limit: number) =>
  db
    .select()
    .from(creditNotes)
    .where(
      and(
        gte(creditNotes.date, from),
        lt(creditNotes.date, to),
        after && or(gt(creditNotes.date, after.date), and(eq(creditNotes.date, after.date), gt(creditNotes.id, after.id))),
      ),
    )
    .orderBy(asc(creditNotes.date), asc(creditNotes.id))
    .limit(limit)
