import { and, eq, gt, inArray, notInArray } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import { teamDevices } from '#db/tables/accounts.ts'
import { devices, factoryDevices } from '#db/tables/devices.ts'
import { alertDevices, alerts } from '#db/tables/places.ts'
import { serialChecks, unlinkRequests } from '#db/tables/sharing.ts'

/** A tracker on any account, by one of its two numbers; when both are given they must belong together. */
export async function findByNumbers(db: Reader, numbers: { identifier?: string; serial?: string }): Promise<DeviceRow | undefined> {
  const { identifier, serial } = numbers
  const [row] = await db
    .select()
    .from(devices)
    .where(and(identifier ? eq(devices.identifier, identifier) : undefined, serial ? eq(devices.serial, serial) : undefined))
    .limit(1)
  return row
}

export async function isSerialLocked(db: Reader, identifier: string) {
  return (await db.$count(serialChecks, and(eq(serialChecks.identifier, identifier), eq(serialChecks.remaining, 0)))) > 0
}

/** Takes a proof of the serial check, once; false when it is another tracker's, too old or used. */
export async function takeProof(tx: Tx, identifier: string, proofHash: string, now: Date) {
  const taken = await tx
    .update(serialChecks)
    .set({ proofHash: null, proofExpiresAt: null })
    .where(and(eq(serialChecks.identifier, identifier), eq(serialChecks.proofHash, proofHash), gt(serialChecks.proofExpiresAt, now)))
    .returning()
  return taken.length === 1
}

export async function hasPendingRequest(db: Reader, identifier: string) {
  return (await db.$count(unlinkRequests, pendingOf(identifier))) > 0
}

export async function addRequest(tx: Tx, request: typeof unlinkRequests.$inferInsert) {
  const [added] = await tx.insert(unlinkRequests).values(request).returning()
  return added!
}

export const acceptPending = (tx: Tx, identifier: string) =>
  tx.update(unlinkRequests).set({ status: 'accepted' }).where(pendingOf(identifier))

/** Takes a tracker off its account, with its links, alerts and reports, and makes it free to be added (D-15, D-39). */
export async function freeTracker(tx: Tx, { id, identifier, serial, type, boardName }: DeviceRow) {
  const watching = tx.select({ id: alertDevices.alertId }).from(alertDevices).where(eq(alertDevices.deviceId, id))
  const alertIds = (await watching).map((alert) => alert.id)
  await tx.delete(teamDevices).where(eq(teamDevices.deviceId, id))
  await tx.delete(devices).where(eq(devices.id, id))
  const stillWatching = tx.select({ id: alertDevices.alertId }).from(alertDevices)
  await tx.delete(alerts).where(and(inArray(alerts.id, alertIds), notInArray(alerts.id, stillWatching)))
  if (identifier && serial) await tx.insert(factoryDevices).values({ identifier, serial, type, boardName }).onConflictDoNothing()
}

const pendingOf = (identifier: string) => and(eq(unlinkRequests.identifier, identifier), eq(unlinkRequests.status, 'pending'))
