import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { InvoiceFilter, InvoiceSort } from '#contracts/operator/invoices.ts'
import type { DbReader } from '#db/db.ts'
import { invoices } from '#db/schema/commerce.ts'
import { creditNotes } from '#db/schema/returns.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { beginsWith, findAccounts, hasOneOf } from '#server/operator/search/search.store.ts'

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
  sort?: InvoiceSort | undefined
  after?: PageEnd | undefined
}

export async function listInvoices(db: DbReader, { search, ...filter }: ListFilter, limit: number): Promise<InvoiceRow[]> {
  const found = search ? await findMatches(db, search, limit) : undefined
  if (found && found.ids.length + found.accounts.length === 0) return []
  const match = found && hasOneOf([invoices.id, found.ids], [invoices.accountId, found.accounts])
  return selectInvoices(db, filter, limit, match)
}

const SORTED = { date: { value: invoices.date, isNumber: true }, amount: { value: invoices.amount, isNumber: true } } as const

/** The query of a page, by default the newest first. */
export function selectInvoices(db: DbReader, { state, sort = '-date', after }: Omit<ListFilter, 'search'>, limit: number, match?: SQL) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: invoices.id, isNumberKey: true, sort, after })
  return db
    .select()
    .from(invoices)
    .where(and(state && IS_STATE[state], match, begin))
    .orderBy(...orderBy)
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
