import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { verificationCodes } from '#db/schema/commerce.ts'
import { devices, factoryDevices } from '#db/schema/devices.ts'
import { alertDevices, alerts } from '#db/schema/places.ts'
import { serialChecks, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'
import { removeFromLinks } from '#server/links/links.store.ts'

/**
 * Deletes trackers, the rows that foreign keys do not cascade to, and alerts that watch nothing any more. Both numbers return to the
 * factory table.
 */
export async function removeTrackers(tx: Tx, removed: readonly DeviceRow[]) {
  const ids = removed.map(({ id }) => id)
  const watching = await tx.select({ id: alertDevices.alertId }).from(alertDevices).where(inArray(alertDevices.deviceId, ids))
  await tx.delete(teamDevices).where(inArray(teamDevices.deviceId, ids))
  await tx.update(verificationCodes).set({ deviceId: null }).where(inArray(verificationCodes.deviceId, ids))
  await tx.delete(serialChecks).where(inArray(serialChecks.identifier, identifiersOf(removed)))
  await removeFromLinks(tx, ids)
  await tx.delete(devices).where(inArray(devices.id, ids))
  const alertIds = watching.map((alert) => alert.id)
  const stillWatching = tx.select({ id: alertDevices.alertId }).from(alertDevices)
  await tx.delete(alerts).where(and(inArray(alerts.id, alertIds), notInArray(alerts.id, stillWatching)))
  const factoryRows = removed.flatMap(({ identifier, serial, type, boardName }) =>
    identifier && serial ? [{ identifier, serial, type, boardName }] : [],
  )
  if (factoryRows.length > 0) await tx.insert(factoryDevices).values(factoryRows).onConflictDoNothing()
}

/** Accepts the pending requests for these trackers; returns them with their requesters, to be mailed. */
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
