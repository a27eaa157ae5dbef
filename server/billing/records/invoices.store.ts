import { and, asc, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { personName } from '#contracts/rules/user.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { archivedInvoices, counters, invoices, orders, paymentMethods, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { creditNotes, invoicePayments, withdrawals } from '#db/schema/returns.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'

const FIRST_NUMBER = 1001
/** The series `ORD-` and `INV-`. */
const PREFIX_LENGTH = 4

export type InvoiceRow = typeof invoices.$inferSelect

/** Newest first. */
export const invoicesInSight = (db: DbReader, viewer: Viewer): Promise<InvoiceRow[]> =>
  db.select().from(invoices).where(ofAccount(invoices.accountId, viewer)).orderBy(desc(invoices.date), desc(invoices.id))

export async function findInvoice(db: DbReader, viewer: Viewer, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), ofAccount(invoices.accountId, viewer)))
  return row
}

export async function findInvoiceById(db: DbReader, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(eq(invoices.id, id))
  return row
}

export async function defaultCard(db: DbReader, accountId: number) {
  const [card] = await db
    .select({ id: paymentMethods.id })
    .from(paymentMethods)
    .where(and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.isDefault, true)))
  return card?.id
}

/** What can be paid back: nothing of a payment that the bank is deciding about or has paid back, nor of one that Stripe does not know. */
export const countRefundable = ({ amount, balance, refunded, dispute, providerId }: InvoiceRow) =>
  dispute === 'open' || dispute === 'lost' || providerId === null ? 0 : Math.max(0, amount - balance - refunded)

/** An invoice with this number, such as `INV-1001`. */
export async function findInvoiceByNumber(db: DbReader, number: string): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(eq(invoices.number, number))
  return row
}

/** The account's invoices that exist at Stripe. */
export const invoicesOf = (db: DbReader, accountId: number): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), isNotNull(invoices.providerId)))

/** The order whose invoice has this id at Stripe; null without one. */
export async function findOrderOfInvoice(db: DbReader, providerId: string | null) {
  if (providerId === null) return null
  const [row] = await db.select({ order: invoices.orderReference }).from(invoices).where(eq(invoices.providerId, providerId))
  return row?.order ?? null
}

/** The items that a Stripe subscription renews, in the order of purchase. */
export const soldBy = (db: DbReader, providerId: string) =>
  db
    .select({ price: prices, deviceId: devices.id, device: devices.name })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(eq(subscriptions.providerId, providerId))
    .orderBy(asc(subscriptions.id))

/** The same with the trackers and options themselves, for the metadata of the subscription. */
export async function listSold(db: DbReader, accountId: number, providerId: string) {
  const rows = await db
    .select({ device: devices, price: prices, options: subscriptions.options })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(eq(subscriptions.providerId, providerId), eq(devices.accountId, accountId)))
    .orderBy(asc(subscriptions.id))
  const options = await db
    .select()
    .from(prices)
    .where(
      inArray(
        prices.id,
        rows.flatMap((row) => row.options),
      ),
    )
  return rows.flatMap(({ device, price, options: held }) => [
    { device, price },
    ...options.filter((option) => held.includes(option.id)).map((option) => ({ device, price: option })),
  ])
}

/**
 * Returns the number shared by the next order and its invoice: one more than the highest number ever assigned, so the numbers of erased
 * orders are not reused. `earlier` is the invoice's number from before a restore, which is assigned again if it is free.
 */
export async function nextNumber(tx: Tx, earlier = 0) {
  // Locks the row, so that another transaction reads the orders and invoices of this one.
  const [counter] = await tx
    .insert(counters)
    .values({ key: 'orders', value: 0 })
    .onConflictDoUpdate({ target: counters.key, set: { value: sql`${counters.value}` } })
    .returning()
  const used = [counter!.value, await highest(tx, orders, orders.reference), await highest(tx, invoices, invoices.number)]
  const next = Math.max(FIRST_NUMBER - 1, ...used) + 1
  const value = earlier > 0 && !(await isTaken(tx, earlier)) ? earlier : next
  await tx
    .update(counters)
    .set({ value: Math.max(counter!.value, value) })
    .where(eq(counters.key, 'orders'))
  return value
}

/** Makes all later numbers higher than this one. */
export const raiseNumber = (tx: Tx, value: number) =>
  tx
    .insert(counters)
    .values({ key: 'orders', value })
    .onConflictDoUpdate({ target: counters.key, set: { value }, setWhere: lt(counters.value, value) })

async function isTaken(tx: Tx, number: number) {
  const ofInvoice = `INV-${number}`
  const counts = [
    await tx.$count(invoices, eq(invoices.number, ofInvoice)),
    await tx.$count(archivedInvoices, eq(archivedInvoices.number, ofInvoice)),
    await tx.$count(orders, eq(orders.reference, `ORD-${number}`)),
  ]
  return counts.some((count) => count > 0)
}

/** The highest number among texts such as `INV-1001`; 0 without any. */
async function highest(tx: Tx, table: typeof orders | typeof invoices, column: typeof orders.reference | typeof invoices.number) {
  const [row] = await tx
    .select({ text: column })
    .from(table)
    .orderBy(desc(sql`length(${column})`), desc(column))
    .limit(1)
  return Number(row?.text.slice(PREFIX_LENGTH) ?? 0)
}

export async function addInvoice(tx: Tx, row: Omit<typeof invoices.$inferInsert, 'number'>, earlierNumber = 0) {
  const [added] = await tx
    .insert(invoices)
    .values({ ...row, number: `INV-${await nextNumber(tx, earlierNumber)}` })
    .returning()
  return added!
}

export async function changeInvoice(tx: Tx, id: number, change: Pick<InvoiceRow, 'status' | 'balance' | 'refunded' | 'dispute'>) {
  const [changed] = await tx.update(invoices).set(change).where(eq(invoices.id, id)).returning()
  return changed!
}

/** Deletes an invoice that Stripe has voided: it need not be paid. */
export const dropInvoice = (tx: Tx, id: number) => tx.delete(invoices).where(eq(invoices.id, id))

type Customer = { firstName: string; lastName: string; email: string; language: string }

/** Archives the invoices of an account that is about to be removed, with the name and address printed on them. Their payments and credit notes lose the account. */
export async function archiveInvoices(tx: Tx, accountId: number, { firstName, lastName, email, language }: Customer, now: Date) {
  const billedTo = `${personName(firstName, lastName, language)}, ${email}`
  const rows = await tx.select().from(invoices).where(eq(invoices.accountId, accountId))
  for (const { id: _, accountId: __, providerId: ___, ...printed } of rows)
    await tx.insert(archivedInvoices).values({ ...printed, billedTo, archivedAt: now })
  await tx.update(withdrawals).set({ accountId: null, email: '', name: null }).where(eq(withdrawals.accountId, accountId))
  await tx.update(creditNotes).set({ accountId: null }).where(eq(creditNotes.accountId, accountId))
  await tx.update(invoicePayments).set({ accountId: null }).where(eq(invoicePayments.accountId, accountId))
}

export const listArchivedInvoices = (db: DbReader) => db.select().from(archivedInvoices).orderBy(asc(archivedInvoices.date))

export const removeArchivedInvoices = (tx: Tx, before: Date) => tx.delete(archivedInvoices).where(lt(archivedInvoices.date, before))
