import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'

export type StockItem = typeof stockItems.$inferSelect
export type NewStockItem = typeof stockItems.$inferInsert
/** A tracker on an account. */
export type Claim = Pick<typeof devices.$inferSelect, 'id' | 'accountId' | 'identifier' | 'serial'>

/** Finds the stock item of a number, by the serial if given, because a serial has to be known. */
export async function findStockItem(
  db: DbReader,
  { identifier, serial }: { identifier?: string | undefined; serial?: string | undefined },
) {
  const match = serial ? eq(stockItems.serial, serial) : eq(stockItems.identifier, identifier ?? '')
  const [item] = await db.select().from(stockItems).where(match)
  return item
}

export const areMonthsUsed = async (db: DbReader, key: string) => (await db.$count(includedMonthsUsed, eq(includedMonthsUsed.key, key))) > 0

/** Marks the included months of a key as used; resolves to whether they were unused before. */
export async function markMonthsUsed(tx: Tx, key: string, at: Date) {
  const marked = await tx.insert(includedMonthsUsed).values({ key, at }).onConflictDoNothing().returning()
  return marked.length === 1
}

type Numbers = readonly { identifier: string; serial: string }[]

const hasNumberOf = (table: typeof stockItems | typeof devices, numbers: Numbers) =>
  or(
    inArray(
      table.identifier,
      numbers.map(({ identifier }) => identifier),
    ),
    inArray(
      table.serial,
      numbers.map(({ serial }) => serial),
    ),
  )

/** The stock items that have either of the numbers. */
export const findItemsOf = (db: DbReader, numbers: Numbers): Promise<StockItem[]> =>
  db.select().from(stockItems).where(hasNumberOf(stockItems, numbers))

/** The trackers on accounts that have either of the numbers. */
export const findClaimsOf = (db: DbReader, numbers: Numbers): Promise<Claim[]> =>
  db
    .select({ id: devices.id, accountId: devices.accountId, identifier: devices.identifier, serial: devices.serial })
    .from(devices)
    .where(hasNumberOf(devices, numbers))

/** Adds stock items, and replaces what a list says about known ones. */
export async function saveStockItems(tx: Tx, rows: NewStockItem[]) {
  if (rows.length === 0) return
  const set = {
    type: sql`excluded.type`,
    boardName: sql`excluded.board_name`,
    includedMonths: sql`excluded.included_months`,
    batch: sql`excluded.batch`,
  }
  await tx.insert(stockItems).values(rows).onConflictDoUpdate({ target: stockItems.identifier, set })
}

/** Sets the S/N of an account's tracker, unless it has one. */
export const setSerial = (tx: Tx, id: number, serial: string) =>
  tx
    .update(devices)
    .set({ serial })
    .where(and(eq(devices.id, id), isNull(devices.serial)))

/** Blocks items, so that nobody can claim them, or with null allows it again; resolves to the identifiers that are in stock. */
export async function setBlocked(tx: Tx, identifiers: string[], blockedAt: Date | null) {
  const rows = await tx
    .update(stockItems)
    .set({ blockedAt })
    .where(inArray(stockItems.identifier, identifiers))
    .returning({ identifier: stockItems.identifier })
  return rows.map(({ identifier }) => identifier)
}
