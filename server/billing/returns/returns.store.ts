import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { counters, subscriptions } from '#db/schema/commerce.ts'
import { creditNotes, invoicePayments } from '#db/schema/returns.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'

export type CreditNoteRow = typeof creditNotes.$inferSelect
export type PaymentRow = typeof invoicePayments.$inferSelect

const FIRST_NUMBER = 1001

/** A charge never changes, so a known one is left as it is. */
export async function savePayments(tx: Tx, rows: readonly (typeof invoicePayments.$inferInsert)[]) {
  if (rows.length > 0)
    await tx
      .insert(invoicePayments)
      .values([...rows])
      .onConflictDoNothing()
}

export const listPayments = (db: DbReader, invoiceNumber: string): Promise<PaymentRow[]> =>
  db.select().from(invoicePayments).where(eq(invoicePayments.invoiceNumber, invoiceNumber)).orderBy(asc(invoicePayments.paidAt))

/** Credit notes of an invoice, oldest first, also those that failed. */
export const listCreditNotes = (db: DbReader, invoiceNumber: string): Promise<CreditNoteRow[]> =>
  db.select().from(creditNotes).where(eq(creditNotes.invoiceNumber, invoiceNumber)).orderBy(asc(creditNotes.id))

export async function findCreditNote(db: DbReader, id: number): Promise<CreditNoteRow | undefined> {
  const [row] = await db.select().from(creditNotes).where(eq(creditNotes.id, id))
  return row
}

/** Adds a credit note with the next number of its series; undefined when it is known. */
export async function addCreditNote(tx: Tx, row: Omit<typeof creditNotes.$inferInsert, 'number'>): Promise<CreditNoteRow | undefined> {
  const [known] = await tx.select({ id: creditNotes.id }).from(creditNotes).where(eq(creditNotes.providerId, row.providerId))
  if (known) return undefined
  const [counter] = await tx
    .insert(counters)
    .values({ key: 'credit_notes', value: FIRST_NUMBER })
    .onConflictDoUpdate({ target: counters.key, set: { value: sql`${counters.value} + 1` } })
    .returning()
  const [added] = await tx
    .insert(creditNotes)
    .values({ ...row, number: `CN-${counter!.value}` })
    .returning()
  return added
}

export const voidCreditNote = (tx: Tx, providerId: string, voidedAt: Date) =>
  tx
    .update(creditNotes)
    .set({ voidedAt })
    .where(and(eq(creditNotes.providerId, providerId), isNull(creditNotes.voidedAt)))

/** Stops what a Stripe subscription renews. A task cancels it at Stripe after the transaction. */
export async function stopProviderSubscription(tx: Tx, providerId: string, now: Date) {
  const stopped = { providerId: null, status: 'canceled', isRecurring: false, renewsAt: null, heldUntil: null }
  const rows = await tx.update(subscriptions).set(stopped).where(eq(subscriptions.providerId, providerId)).returning()
  if (rows.length > 0) await queueTasks(tx, [{ kind: 'trim', ref: providerId }], now)
}
