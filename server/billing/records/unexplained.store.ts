import { and, asc, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { invoices, paymentTasks, subscriptions, unexplainedPayments } from '#db/schema/commerce.ts'

export type UnexplainedRow = typeof unexplainedPayments.$inferSelect
export type Unexplained = Omit<UnexplainedRow, 'foundAt' | 'acceptedAt' | 'customer'>

/** Replaces the unexplained payments of a customer by those found, and returns the new ones. Payments explained meanwhile are removed. */
export async function saveUnexplained(tx: Tx, customer: string, found: readonly Unexplained[], now: Date): Promise<UnexplainedRow[]> {
  const ids = found.map(({ id }) => id)
  const ofCustomer = eq(unexplainedPayments.customer, customer)
  await tx.delete(unexplainedPayments).where(ids.length > 0 ? and(ofCustomer, notInArray(unexplainedPayments.id, ids)) : ofCustomer)
  return addUnexplained(
    tx,
    found.map((payment) => ({ ...payment, customer })),
    now,
  )
}

/** Adds payments, each once, and returns the new ones. */
export async function addUnexplained(tx: Tx, found: readonly (Unexplained & { customer: string | null })[], now: Date) {
  const rows = found.map((payment) => ({ ...payment, foundAt: now }))
  return rows.length > 0 ? tx.insert(unexplainedPayments).values(rows).onConflictDoNothing().returning() : []
}

export const removeUnexplained = (tx: Tx, id: string) => tx.delete(unexplainedPayments).where(eq(unexplainedPayments.id, id))

/** Oldest first, without those that an operator has acknowledged. */
export const listUnexplained = (db: DbReader): Promise<UnexplainedRow[]> =>
  db.select().from(unexplainedPayments).where(isNull(unexplainedPayments.acceptedAt)).orderBy(asc(unexplainedPayments.paidAt))

export const countUnexplained = (db: DbReader) => db.$count(unexplainedPayments, isNull(unexplainedPayments.acceptedAt))

/** Returns how many of the ids existed. */
export async function acceptUnexplained(tx: Tx, ids: readonly string[], now: Date) {
  const accepted = await tx
    .update(unexplainedPayments)
    .set({ acceptedAt: now })
    .where(inArray(unexplainedPayments.id, [...ids]))
    .returning()
  return accepted.length
}

/** Lists the given invoices at Stripe that have a row. */
export async function listKnownInvoices(db: DbReader, paid: readonly { id: string }[]) {
  const ids = paid.map(({ id }) => id)
  const rows = await db.select({ id: invoices.providerId }).from(invoices).where(inArray(invoices.providerId, ids))
  return new Set(rows.map(({ id }) => id))
}

/** Subscriptions that renew a tracker of ours, or that a task is about to end. */
export async function listKnownSubscriptions(db: DbReader, renewing: readonly { id: string }[]) {
  const ids = renewing.map(({ id }) => id)
  const held = await db.select({ id: subscriptions.providerId }).from(subscriptions).where(inArray(subscriptions.providerId, ids))
  const ending = await db.select({ id: paymentTasks.ref }).from(paymentTasks).where(inArray(paymentTasks.ref, ids))
  return new Set([...held, ...ending].map(({ id }) => id))
}
