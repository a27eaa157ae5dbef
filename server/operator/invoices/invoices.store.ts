import { and, desc, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { InvoiceFilter } from '#contracts/operator/invoices.ts'
import type { DbReader } from '#db/db.ts'
import { invoices } from '#db/schema/commerce.ts'
import { creditNotes } from '#db/schema/returns.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { beginsWith, findAccounts } from '#server/operator/search/search.store.ts'

// Written as in the conditions of the partial indexes.
const IS_STATE: Record<InvoiceFilter, SQL> = {
  paid: eq(invoices.status, 'paid'),
  open: eq(invoices.status, 'open'),
  failed: eq(invoices.status, 'failed'),
  refunded: sql`${invoices.refunded} > 0`,
  disputed: sql`${invoices.dispute} is not null`,
}

export type ListFilter = {
  state?: InvoiceFilter | undefined
  search?: string | undefined
  after?: { date: Date; id: number } | undefined
}

/** Newest first. */
export async function listInvoices(db: DbReader, { state, search, after }: ListFilter, limit: number): Promise<InvoiceRow[]> {
  const found = search ? await findMatches(db, search, limit) : undefined
  if (found && found.ids.length + found.accounts.length === 0) return []
  return db
    .select()
    .from(invoices)
    .where(
      and(
        state && IS_STATE[state],
        found && or(inArray(invoices.id, found.ids), inArray(invoices.accountId, found.accounts)),
        after && or(lt(invoices.date, after.date), and(eq(invoices.date, after.date), lt(invoices.id, after.id))),
      ),
    )
    .orderBy(desc(invoices.date), desc(invoices.id))
    .limit(limit)
}

/** Looks up a search text in one index after the other, so that no search reads all invoices. */
async function findMatches(db: DbReader, text: string, limit: number) {
  const number = text.toUpperCase().replace(/\s/g, '')
  const digits = /^(INV-?)?(\d+)$/.exec(number)?.[2]
  const ids = await Promise.all([
    digits === undefined ? [] : selectIds(db, beginsWith(invoices.number, `INV-${digits}`), limit),
    /^ORD-\d+$/.test(number) ? selectIds(db, eq(invoices.number, number.replace('ORD-', 'INV-')), limit) : [],
    /^CN-\d+$/.test(number) ? selectIds(db, inArray(invoices.number, creditedNumbers(db, number)), limit) : [],
  ])
  return { ids: ids.flat(), accounts: await findAccounts(db, text) }
}

const creditedNumbers = (db: DbReader, number: string) =>
  db.select({ number: creditNotes.invoiceNumber }).from(creditNotes).where(eq(creditNotes.number, number))

async function selectIds(db: DbReader, match: SQL | undefined, limit: number) {
  const rows = await db.select({ id: invoices.id }).from(invoices).where(match).limit(limit)
  return rows.map(({ id }) => id)
}
