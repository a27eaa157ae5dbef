import { and, eq, inArray, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, factoryDevices, hiddenDevices, tags } from '#db/schema/devices.ts'
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

export const removeFactoryDevice = (tx: Tx, identifier: string) =>
  tx.delete(factoryDevices).where(eq(factoryDevices.identifier, identifier))

export async function insertTracker(tx: Tx, tracker: typeof devices.$inferInsert): Promise<DeviceRow> {
  const [row] = await tx.insert(devices).values(tracker).returning()
  return row!
}

export async function hasTag(db: DbReader, accountId: number, id: number) {
  return (await db.$count(tags, and(eq(tags.id, id), eq(tags.accountId, accountId)))) > 0
}

export async function saveVisibility(tx: Tx, { userId, deviceId }: { userId: number; deviceId: number }, isVisible: boolean) {
  if (isVisible) await tx.delete(hiddenDevices).where(and(eq(hiddenDevices.userId, userId), eq(hiddenDevices.deviceId, deviceId)))
  else await tx.insert(hiddenDevices).values({ userId, deviceId }).onConflictDoNothing()
}
