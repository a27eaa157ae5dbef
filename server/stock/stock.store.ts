import { and, asc, eq, inArray, isNull, notExists, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, stockItems } from '#db/schema/devices.ts'

export type NewStockItem = typeof stockItems.$inferInsert
type Numbers = { identifier?: string | undefined; serial?: string | undefined }

/** Finds the stock item of a number, by the serial if given, because a serial has to be known. */
export async function findStockItem(db: DbReader, { identifier, serial }: Numbers) {
  const match = serial ? eq(stockItems.serial, serial) : eq(stockItems.identifier, identifier ?? '')
  const [item] = await db.select().from(stockItems).where(match)
  return item
}

const numbersOf = (rows: readonly NewStockItem[]) => ({
  identifiers: rows.map(({ identifier }) => identifier),
  serials: rows.map(({ serial }) => serial),
})

/** The numbers of stock items that match the rows. */
export function findStockNumbers(db: DbReader, rows: readonly NewStockItem[]) {
  const { identifiers, serials } = numbersOf(rows)
  return db
    .select({ identifier: stockItems.identifier, serial: stockItems.serial })
    .from(stockItems)
    .where(or(inArray(stockItems.identifier, identifiers), inArray(stockItems.serial, serials)))
}

/** The numbers of trackers on accounts that match the rows. */
export function findTrackerNumbers(db: DbReader, rows: readonly NewStockItem[]) {
  const { identifiers, serials } = numbersOf(rows)
  return db
    .select({ identifier: devices.identifier, serial: devices.serial })
    .from(devices)
    .where(or(inArray(devices.identifier, identifiers), inArray(devices.serial, serials)))
}

/** Sets the S/N of an account's tracker, unless it has one. */
export const setSerial = (tx: Tx, identifier: string, serial: string) =>
  tx
    .update(devices)
    .set({ serial })
    .where(and(eq(devices.identifier, identifier), isNull(devices.serial)))

export async function insertStockItems(tx: Tx, rows: NewStockItem[]) {
  if (rows.length > 0) await tx.insert(stockItems).values(rows)
}

/** Stock items that no account has claimed. */
export const listFreeItems = (db: DbReader) =>
  db
    .select()
    .from(stockItems)
    .where(notExists(db.select({ id: devices.id }).from(devices).where(eq(devices.identifier, stockItems.identifier))))
    .orderBy(asc(stockItems.identifier))
