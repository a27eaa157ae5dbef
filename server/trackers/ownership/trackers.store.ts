import { and, asc, eq, gt, inArray, min, notInArray, or } from 'drizzle-orm'
import { isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfRow, recordEndings } from '#db/endings.ts'
import { removeFromLinks } from '#db/links.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { verificationCodes } from '#db/schema/commerce.ts'
import { devices, pastClaims } from '#db/schema/devices.ts'
import { alertDevices, alerts } from '#db/schema/places.ts'
import { serialAttempts, serialChecks, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'

export async function insertTracker(tx: Tx, tracker: typeof devices.$inferInsert): Promise<DeviceRow> {
  const [row] = await tx.insert(devices).values(tracker).returning()
  return row!
}

/** When the account first added a tracker that it has removed since. */
export async function findFirstClaim(db: DbReader, identifier: string, accountId: number) {
  const ofAccount = and(eq(pastClaims.identifier, identifier), eq(pastClaims.accountId, accountId))
  const [first] = await db
    .select({ at: min(pastClaims.claimedAt) })
    .from(pastClaims)
    .where(ofAccount)
  return first?.at ?? undefined
}

/** Deletes trackers, the rows that foreign keys do not cascade to, and alerts that no longer watch anything, or only one tracker of a pair. */
export async function deleteTrackers(tx: Tx, removed: readonly DeviceRow[]) {
  const ids = removed.map(({ id }) => id)
  const watching = await tx
    .select({ id: alerts.id, rule: alerts.rule })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .where(inArray(alertDevices.deviceId, ids))
  await tx.delete(teamDevices).where(inArray(teamDevices.deviceId, ids))
  await tx.update(verificationCodes).set({ deviceId: null }).where(inArray(verificationCodes.deviceId, ids))
  await tx.delete(serialAttempts).where(inArray(serialAttempts.identifier, identifiersOf(removed)))
  await tx.delete(serialChecks).where(inArray(serialChecks.identifier, identifiersOf(removed)))
  await removeFromLinks(tx, ids)
  await tx.delete(devices).where(inArray(devices.id, ids))
  await recordEndings(tx, 'tracker', removed.map(nameOfRow))
  const alertIds = watching.map((alert) => alert.id)
  const ofPairs = watching.filter(({ rule }) => isPairRule(rule)).map((alert) => alert.id)
  const stillWatching = tx.select({ id: alertDevices.alertId }).from(alertDevices)
  await tx.delete(alerts).where(and(inArray(alerts.id, alertIds), or(notInArray(alerts.id, stillWatching), inArray(alerts.id, ofPairs))))
}

/** Accepts the pending requests for these trackers; returns them with their requesters, who are to be mailed. */
export async function acceptRequests(tx: Tx, freed: readonly DeviceRow[], now: Date) {
  const isWaiting = and(inArray(unlinkRequests.identifier, identifiersOf(freed)), eq(unlinkRequests.status, 'pending'))
  const waiting = await tx
    .select({ id: unlinkRequests.id, identifier: unlinkRequests.identifier, email: unlinkRequests.email, requester: users })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(isWaiting)
    .orderBy(asc(unlinkRequests.id))
  await tx.update(unlinkRequests).set({ status: 'accepted', decidedAt: now }).where(isWaiting)
  return waiting
}

/** The number under which requests and serial checks are stored. */
const identifiersOf = (trackers: readonly DeviceRow[]) => trackers.map(({ identifier, serial }) => identifier ?? serial ?? '')

export async function hasPendingRequest(db: DbReader, identifier: string) {
  return (await db.$count(unlinkRequests, and(eq(unlinkRequests.identifier, identifier), eq(unlinkRequests.status, 'pending')))) > 0
}

/** Whether accepted requests of other accounts keep the tracker for them. */
export async function isKeptForOther(
  db: DbReader,
  { identifier, accountId, since }: { identifier: string; accountId: number; since: Date },
) {
  const isAccepted = and(
    eq(unlinkRequests.identifier, identifier),
    eq(unlinkRequests.status, 'accepted'),
    gt(unlinkRequests.decidedAt, since),
  )
  const keepers = await db
    .select({ accountId: users.accountId })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(isAccepted)
  return keepers.length > 0 && keepers.every((keeper) => keeper.accountId !== accountId)
}

export async function insertRequest(tx: Tx, request: typeof unlinkRequests.$inferInsert) {
  const [added] = await tx.insert(unlinkRequests).values(request).returning()
  return added!
}
