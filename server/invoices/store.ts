import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'
import { invoices, paymentMethods } from '#db/tables/commerce.ts'

export type InvoiceRow = typeof invoices.$inferSelect

/** Newest first. */
export const invoicesInSight = (db: Reader, viewer: Viewer): Promise<InvoiceRow[]> =>
  db.select().from(invoices).where(ofAccount(invoices.accountId, viewer)).orderBy(desc(invoices.date), desc(invoices.id))

export async function findInvoice(db: Reader, viewer: Viewer, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), ofAccount(invoices.accountId, viewer)))
  return row
}

/** The card that pays for an account. */
export async function defaultCard(db: Reader, accountId: number) {
  const [card] = await db
    .select({ id: paymentMethods.id })
    .from(paymentMethods)
    .where(and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.isDefault, true)))
  return card?.id
}

/** Keeps that an invoice is paid; the row as it is then. */
export async function settleInvoice(tx: Tx, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await tx.update(invoices).set({ status: 'paid', balance: 0 }).where(eq(invoices.id, id)).returning()
  return row
}
