import { and, eq, inArray, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, factoryDevices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'

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

/** Finds the factory data of a number, by the serial if given, because a serial has to be known. */
export async function findFactoryDevice(db: DbReader, { identifier, serial }: Numbers) {
  const match = serial ? eq(factoryDevices.serial, serial) : eq(factoryDevices.identifier, identifier ?? '')
  const [factoryDevice] = await db.select().from(factoryDevices).where(match)
  return factoryDevice
}

/** The S/N of a tracker, from the factory list if its account added it before the factory did. */
export async function findActualSerial(db: DbReader, { identifier, serial }: Pick<DeviceRow, 'identifier' | 'serial'>) {
  if (serial !== null || identifier === null) return serial
  return (await findFactoryDevice(db, { identifier }))?.serial ?? null
}

export const removeFactoryDevice = (tx: Tx, identifier: string) =>
  tx.delete(factoryDevices).where(eq(factoryDevices.identifier, identifier))
