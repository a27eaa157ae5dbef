import { and, eq, inArray, or } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { findStockItem } from '#server/stock/stock.store.ts'

type Numbers = { identifier?: string | undefined; serial?: string | undefined }

/** Finds a tracker on any account; when both numbers are given, both must match. */
export async function findTrackerByNumbers(db: DbReader, { identifier, serial }: Numbers): Promise<DeviceRow | undefined> {
  const [row] = await db
    .select()
    .from(devices)
    .where(and(identifier ? eq(devices.identifier, identifier) : undefined, serial ? eq(devices.serial, serial) : undefined))
    .limit(1)
  return row
}

export async function areNumbersTaken(db: DbReader, { identifiers, serials }: { identifiers: string[]; serials: string[] }) {
  return (await db.$count(devices, or(inArray(devices.identifier, identifiers), inArray(devices.serial, serials)))) > 0
}

/** The S/N of a tracker, from its stock item if its account added it before it was in stock. */
export async function findActualSerial(db: DbReader, { identifier, serial }: Pick<DeviceRow, 'identifier' | 'serial'>) {
  if (serial !== null || identifier === null) return serial
  return (await findStockItem(db, { identifier }))?.serial ?? null
}
