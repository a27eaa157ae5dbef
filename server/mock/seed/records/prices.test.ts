import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { prices } from '#db/schema/commerce.ts'
import { openEmpty } from '#db/sqlite/empty.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import { ensurePrices, priceRows } from './prices.ts'

const idsIn = async (db: SqliteDb) => (await db.read.select().from(prices)).map(({ id }) => id).toSorted()

test("a new database gets the demo's prices; prices removed or changed later stay that way", async () => {
  const db = openEmpty()
  await db.write('everything', ensurePrices)
  const all = await idsIn(db)
  expect(all).toEqual(priceRows.map(({ id }) => id).toSorted())

  await db.write('everything', async (tx) => {
    await tx.delete(prices).where(eq(prices.id, 'usd-1m'))
    await tx.update(prices).set({ unitAmount: 2990 }).where(eq(prices.id, 'eur-24m'))
  })
  await db.write('everything', ensurePrices)
  expect(await idsIn(db)).toEqual(all.filter((id) => id !== 'usd-1m'))
  expect(await db.read.select().from(prices).where(eq(prices.id, 'eur-24m'))).toMatchObject([{ unitAmount: 2990 }])
  db.close()
})
