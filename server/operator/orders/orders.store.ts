import { and, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import type { OrderSort, OrderState } from '#contracts/operator/orders.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { invoices, orders } from '#db/schema/commerce.ts'
import { devices, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'
import { careClaims } from '#db/schema/returns.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { beginsWith, findAccounts, hasOneOf } from '#server/operator/search/search.store.ts'

const isUnsent = and(eq(orders.status, 'in_progress'), isNull(orders.returnedAt))

const IS_STATE: Record<OrderState, SQL | undefined> = {
  to_pick: and(isUnsent, isNull(orders.pickedAt)),
  picked: and(isUnsent, isNotNull(orders.pickedAt)),
  shipping: and(eq(orders.status, 'shipping'), isNull(orders.returnedAt)),
  delivered: and(eq(orders.status, 'delivered'), isNull(orders.returnedAt)),
  returned: isNotNull(orders.returnedAt),
}

export type OrderFilter = {
  state?: OrderState | undefined
  search?: string | undefined
  sort?: OrderSort | undefined
  after?: PageEnd | undefined
}

export async function listOrders(db: DbReader, { search, ...filter }: OrderFilter, limit: number): Promise<OrderRow[]> {
  const found = search ? await findMatches(db, search, limit) : undefined
  if (found && found.references.length + found.accounts.length === 0) return []
  const match = found && hasOneOf([orders.reference, found.references], [orders.accountId, found.accounts])
  return selectOrders(db, filter, limit, match)
}

const SORTED = { date: { value: orders.date, isNumber: true }, total: { value: orders.total, isNumber: true } } as const

/** The query of a page, by default the newest first. */
export function selectOrders(db: DbReader, { state, sort = '-date', after }: Omit<OrderFilter, 'search'>, limit: number, match?: SQL) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: orders.reference, sort, after })
  return db
    .select()
    .from(orders)
    .where(and(state && IS_STATE[state], match, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/** Looks up a search text in one index after the other, so that no search reads all orders. */
async function findMatches(db: DbReader, text: string, limit: number) {
  const number = text.toUpperCase().replace(/\s/g, '')
  const reference = /^(ORD-?)?(\d+)$/.exec(number)?.[2]
  const references = await Promise.all([
    reference === undefined ? [] : selectReferences(db, beginsWith(orders.reference, `ORD-${reference}`), limit),
    selectReferences(db, eq(orders.tracking, number), limit),
    /^INV-\d+$/.test(number) ? selectInvoiced(db, number) : [],
  ])
  return { references: references.flat(), accounts: await findAccounts(db, text) }
}

async function selectReferences(db: DbReader, match: SQL | undefined, limit: number) {
  const rows = await db.select({ reference: orders.reference }).from(orders).where(match).limit(limit)
  return rows.map(({ reference }) => reference)
}

async function selectInvoiced(db: DbReader, number: string) {
  const rows = await db.select({ reference: invoices.orderReference }).from(invoices).where(eq(invoices.number, number))
  return rows.flatMap(({ reference }) => reference ?? [])
}

export async function findOrderOf(db: DbReader, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.reference, reference))
  return row
}

export type OrderChange = Partial<
  Pick<OrderRow, 'status' | 'pickedAt' | 'shippedAt' | 'carrier' | 'tracking' | 'deliveredAt' | 'returnedAt'>
>

export const changeOrder = (tx: Tx, reference: string, change: OrderChange) =>
  tx.update(orders).set(change).where(eq(orders.reference, reference))

/** The delivery address of a replacement, as its owner wrote it. Orders from before have it only in the claim. */
export async function findDelivery(db: DbReader, { reference, delivery }: OrderRow) {
  if (delivery !== null) return delivery
  const [claim] = await db.select({ delivery: careClaims.delivery }).from(careClaims).where(eq(careClaims.orderReference, reference))
  return claim?.delivery ?? null
}

export async function findInvoiceOf(db: DbReader, { invoiceId }: OrderRow) {
  if (invoiceId === null) return undefined
  const { id, number, amount, refunded, dispute } = invoices
  const [row] = await db.select({ id, number, amount, refunded, dispute }).from(invoices).where(eq(invoices.id, invoiceId))
  return row
}

/** The stock items that were sent with an order, each with the account that has it. */
export const listSentItems = (db: DbReader, reference: string) =>
  db
    .select({ identifier: stockItems.identifier, serial: stockItems.serial, accountId: devices.accountId })
    .from(stockItems)
    .leftJoin(devices, eq(devices.identifier, stockItems.identifier))
    .where(eq(stockItems.orderReference, reference))
    .orderBy(stockItems.identifier)

/** The stock item with this identifier or S/N, with the account that has it. */
export async function findItemByNumber(db: DbReader, number: string) {
  const [item] = await db
    .select({ item: stockItems, accountId: devices.accountId })
    .from(stockItems)
    .leftJoin(devices, eq(devices.identifier, stockItems.identifier))
    .where(or(eq(stockItems.identifier, number), eq(stockItems.serial, number)))
  return item
}

export const sendItems = (tx: Tx, reference: string, identifiers: string[]) =>
  tx.update(stockItems).set({ orderReference: reference }).where(inArray(stockItems.identifier, identifiers))

/** Puts the items of an order back into the stock; the free ones with all their included months. */
export async function restockItems(tx: Tx, reference: string, free: string[]) {
  await tx.update(stockItems).set({ orderReference: null }).where(eq(stockItems.orderReference, reference))
  if (free.length > 0) await tx.delete(includedMonthsUsed).where(inArray(includedMonthsUsed.key, free))
}
