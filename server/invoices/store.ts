import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'
import { users } from '#db/tables/accounts.ts'
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

/** Who is billed: of a team, its administrator. */
export async function billedTo(db: Reader, accountId: number) {
  const [owner] = await db
    .select({ firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(sql`${users.role} = 'pro'`, asc(users.id))
    .limit(1)
  return owner!
}
export type Billed = Awaited<ReturnType<typeof billedTo>>

export async function languageOf(db: Reader, { userId }: Viewer) {
  const [reader] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return reader!.language
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
