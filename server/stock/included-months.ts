import { INCLUDED_MONTHS } from '#contracts/rules/subscription.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { ClaimRules } from '#server/ports/world.ts'
import { findStockItem, markMonthsUsed } from './stock.store.ts'

type ClaimSettings = { CLAIMS?: 'stock' | 'any' | undefined; PHONE_MONTHS?: number | undefined }

/** The rules of claims in production. */
export const readClaims = ({ CLAIMS, PHONE_MONTHS }: ClaimSettings): ClaimRules => ({
  isStockOnly: CLAIMS !== 'any',
  phoneMonths: PHONE_MONTHS ?? 0,
})

/** Returns the months of service that come with a tracker, used or not. A number outside the stock has some if any may be claimed. */
export async function findIncludedMonths(db: DbReader, identifier: string, { isStockOnly }: ClaimRules) {
  const item = await findStockItem(db, { identifier })
  return item?.includedMonths ?? (isStockOnly ? 0 : INCLUDED_MONTHS)
}

/** Uses included months, which succeeds once for a key; resolves to their number, or 0 if they were used before. */
export const takeIncludedMonths = async (tx: Tx, { key, months, now }: { key: string; months: number; now: Date }) =>
  months > 0 && (await markMonthsUsed(tx, key, now)) ? months : 0
