import { eq, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { paymentCursors } from '#db/schema/commerce.ts'

/**
 * `events`: the instant up to which Stripe's events were read. `customers`: the customer after which the iteration over all customers
 * continues; without a row none is running. `watched`: the instant from which on each charge must have an explanation.
 */
type CursorKey = 'events' | 'customers' | 'watched'

export async function readCursor(db: DbReader, key: CursorKey) {
  const [row] = await db.select({ value: paymentCursors.value }).from(paymentCursors).where(eq(paymentCursors.key, key))
  return row?.value ?? null
}

export async function readInstant(db: DbReader, key: 'events' | 'watched') {
  const at = new Date((await readCursor(db, key)) ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}

export const saveCursor = (tx: Tx, key: CursorKey, value: string) =>
  tx.insert(paymentCursors).values({ key, value }).onConflictDoUpdate({ target: paymentCursors.key, set: { value } })

export const removeCursor = (tx: Tx, key: CursorKey) => tx.delete(paymentCursors).where(eq(paymentCursors.key, key))

/** Moves the instant `watched` back to `from`; it never moves forward. */
export const watchFrom = (tx: Tx, from: Date) =>
  tx
    .insert(paymentCursors)
    .values({ key: 'watched', value: from.toISOString() })
    .onConflictDoUpdate({
      target: paymentCursors.key,
      set: { value: from.toISOString() },
      setWhere: sql`${paymentCursors.value} > ${from.toISOString()}`,
    })
