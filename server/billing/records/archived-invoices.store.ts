import { asc, eq, lt } from 'drizzle-orm'
import { personName } from '#contracts/rules/user.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { archivedInvoices, invoices } from '#db/schema/commerce.ts'

type Customer = { firstName: string; lastName: string; email: string; language: string }

/** Copies the invoices of an account that is about to be removed, with the name and address printed on them. */
export async function archiveInvoices(tx: Tx, accountId: number, { firstName, lastName, email, language }: Customer, now: Date) {
  const billedTo = `${personName(firstName, lastName, language)}, ${email}`
  const rows = await tx.select().from(invoices).where(eq(invoices.accountId, accountId))
  for (const { id: _, accountId: __, providerId: ___, ...printed } of rows)
    await tx.insert(archivedInvoices).values({ ...printed, billedTo, archivedAt: now })
}

export const listArchivedInvoices = (db: DbReader) => db.select().from(archivedInvoices).orderBy(asc(archivedInvoices.date))

export const removeArchivedInvoices = (tx: Tx, before: Date) => tx.delete(archivedInvoices).where(lt(archivedInvoices.date, before))
