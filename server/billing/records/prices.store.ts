import { and, asc, isNull, lte, notInArray } from 'drizzle-orm'
import { findHeldAmount } from '#contracts/rules/prices/price-changes.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { prices } from '#db/schema/commerce.ts'
import { priceChanges } from '#db/schema/staff.ts'

type Offer = Omit<typeof prices.$inferInsert, 'isOffered'>

/** Puts these prices on sale and retires all others, which stay readable for their buyers. */
export async function savePrices(tx: Tx, rows: readonly Offer[]) {
  const ids = rows.map(({ id }) => id)
  await tx.update(prices).set({ isOffered: false }).where(notInArray(prices.id, ids))
  for (const row of rows) {
    const values = { ...row, isOffered: true }
    await tx.insert(prices).values(values).onConflictDoUpdate({ target: prices.id, set: values })
  }
}

export const listPrices = (db: DbReader) => db.select().from(prices).orderBy(asc(prices.id))

/** The same prices with the amounts that hold at an instant, in case the job that writes them into the list is late. */
export async function holdAmounts<T extends { id: string; unitAmount: number }>(db: DbReader, rows: T[], now: Date): Promise<T[]> {
  const isBegun = and(isNull(priceChanges.cancelledAt), isNull(priceChanges.appliedAt), lte(priceChanges.startsAt, now))
  const begun = await db.select().from(priceChanges).where(isBegun)
  if (begun.length === 0) return rows
  const ofPrice = (id: string) => begun.filter(({ priceId }) => priceId === id)
  return rows.map((row) => ({ ...row, unitAmount: findHeldAmount(row.unitAmount, ofPrice(row.id), now) }))
}
