import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, factoryDevices } from '#db/schema/devices.ts'
import type { FactoryTracker } from './factory-list.ts'

const numbersOf = (rows: readonly FactoryTracker[]) => ({
  identifiers: rows.map(({ identifier }) => identifier),
  serials: rows.map(({ serial }) => serial),
})

/** The numbers of manufactured trackers without an account that match the rows. */
export function findFactoryNumbers(db: DbReader, rows: readonly FactoryTracker[]) {
  const { identifiers, serials } = numbersOf(rows)
  return db
    .select({ identifier: factoryDevices.identifier, serial: factoryDevices.serial })
    .from(factoryDevices)
    .where(or(inArray(factoryDevices.identifier, identifiers), inArray(factoryDevices.serial, serials)))
}

/** The numbers of trackers on accounts that match the rows. */
export function findTrackerNumbers(db: DbReader, rows: readonly FactoryTracker[]) {
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

export const saveFactoryTrackers = async (tx: Tx, rows: FactoryTracker[]) => {
  if (rows.length > 0) await tx.insert(factoryDevices).values(rows)
}

/** Manufactured trackers without an account. */
export const listFactoryTrackers = (db: DbReader) => db.select().from(factoryDevices).orderBy(asc(factoryDevices.identifier))
