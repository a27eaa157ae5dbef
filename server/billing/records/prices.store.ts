import { asc, notInArray } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { prices } from '#db/schema/commerce.ts'

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
