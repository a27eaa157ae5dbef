import { and, asc, eq, inArray, notInArray, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfRow, recordEndings } from '#db/endings.ts'
import { removeFromLinks } from '#db/links.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { verificationCodes } from '#db/schema/commerce.ts'
import { devices, factoryDevices, hiddenDevices, tags } from '#db/schema/devices.ts'
import { alertDevices, alerts } from '#db/schema/places.ts'
import { serialAttempts, serialChecks, unlinkRequests } from '#db/schema/sharing.ts'
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

/**
 * Deletes trackers, the rows that foreign keys do not cascade to, and alerts that no longer watch anything. Both numbers return to the
 * factory table.
 */
export async function removeTrackers(tx: Tx, removed: readonly DeviceRow[]) {
  const ids = removed.map(({ id }) => id)
  const watching = await tx.select({ id: alertDevices.alertId }).from(alertDevices).where(inArray(alertDevices.deviceId, ids))
  await tx.delete(teamDevices).where(inArray(teamDevices.deviceId, ids))
  await tx.update(verificationCodes).set({ deviceId: null }).where(inArray(verificationCodes.deviceId, ids))
  await tx.delete(serialAttempts).where(inArray(serialAttempts.identifier, identifiersOf(removed)))
  await tx.delete(serialChecks).where(inArray(serialChecks.identifier, identifiersOf(removed)))
  await removeFromLinks(tx, ids)
  await tx.delete(devices).where(inArray(devices.id, ids))
  await recordEndings(tx, 'tracker', removed.map(nameOfRow))
  const alertIds = watching.map((alert) => alert.id)
  const stillWatching = tx.select({ id: alertDevices.alertId }).from(alertDevices)
  await tx.delete(alerts).where(and(inArray(alerts.id, alertIds), notInArray(alerts.id, stillWatching)))
  const factoryRows = removed.flatMap(({ identifier, serial, type, boardName }) =>
    identifier && serial ? [{ identifier, serial, type, boardName }] : [],
  )
  if (factoryRows.length > 0) await tx.insert(factoryDevices).values(factoryRows).onConflictDoNothing()
}

/** Accepts the pending requests for these trackers; returns them with their requesters, who are to be mailed. */
export async function acceptRequests(tx: Tx, freed: readonly DeviceRow[]) {
  const isWaiting = and(inArray(unlinkRequests.identifier, identifiersOf(freed)), eq(unlinkRequests.status, 'pending'))
  const waiting = await tx
    .select({ id: unlinkRequests.id, identifier: unlinkRequests.identifier, email: unlinkRequests.email, requester: users })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(isWaiting)
    .orderBy(asc(unlinkRequests.id))
  await tx.update(unlinkRequests).set({ status: 'accepted' }).where(isWaiting)
  return waiting
}

/** The number under which requests and serial checks are stored. */
const identifiersOf = (trackers: readonly DeviceRow[]) => trackers.map(({ identifier, serial }) => identifier ?? serial ?? '')

export async function hasPendingRequest(db: DbReader, identifier: string) {
  return (await db.$count(unlinkRequests, and(eq(unlinkRequests.identifier, identifier), eq(unlinkRequests.status, 'pending')))) > 0
}

export async function insertRequest(tx: Tx, request: typeof unlinkRequests.$inferInsert) {
  const [added] = await tx.insert(unlinkRequests).values(request).returning()
  return added!
}
