import { and, between, desc, eq, isNull } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { addressCells } from '#db/schema/places.ts'

/** The addresses found last, newest first. */
export const listAddressCells = (db: DbReader, limit: number) =>
  db.select().from(addressCells).orderBy(desc(addressCells.foundAt)).limit(limit)

export async function findAddressCell(db: DbReader, cell: number) {
  const [row] = await db.select().from(addressCells).where(eq(addressCells.cell, cell))
  return row
}

export const saveAddressCell = (tx: Tx, row: typeof addressCells.$inferInsert) =>
  tx.insert(addressCells).values(row).onConflictDoUpdate({ target: addressCells.cell, set: row })

type Range = readonly [number, number]

/** Sets an address for the trackers within a cell that have none yet, and returns them. Degrees times 1e7. */
export const addAddressToDevices = (tx: Tx, { lat, lng, address }: { lat: Range; lng: Range; address: string }) =>
  tx
    .update(devices)
    .set({ address })
    .where(and(isNull(devices.address), between(devices.lat, ...lat), between(devices.lng, ...lng)))
    .returning({ id: devices.id, accountId: devices.accountId })
