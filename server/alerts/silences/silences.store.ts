import { and, asc, eq, gt, inArray, isNull, notExists, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { alertSilenceDevices, alertSilences } from '#db/schema/places.ts'
import { type DeviceRow, devicesOf, ofAccount, type Viewer } from '#db/scope.ts'

export type SilenceRow = typeof alertSilences.$inferSelect

/** A silence with the trackers of it that the viewer may see. */
export type SilenceDetails = { silence: SilenceRow; devices: number[] }

/**
 * Running silences that the viewer may see, the first to end first, optionally only the one with the id: the own ones and those of the
 * account; without those that name only trackers out of sight. Support sees all.
 */
export async function listSilences(db: DbReader, viewer: Viewer, now: Date, id?: number): Promise<SilenceDetails[]> {
  const ofViewer = viewer.role === 'deepsupport' ? undefined : or(isNull(alertSilences.userId), eq(alertSilences.userId, viewer.userId))
  const which = id === undefined ? undefined : eq(alertSilences.id, id)
  const inSight = and(ofAccount(alertSilences.accountId, viewer), ofViewer, gt(alertSilences.until, now), which)
  const rows = await db.select().from(alertSilences).where(inSight).orderBy(asc(alertSilences.until), asc(alertSilences.id))
  const ids = db.select({ id: alertSilences.id }).from(alertSilences).where(inSight)
  const named = await db
    .select({ silenceId: alertSilenceDevices.silenceId, deviceId: devices.id })
    .from(alertSilenceDevices)
    .innerJoin(devices, eq(devices.id, alertSilenceDevices.deviceId))
    .where(and(inArray(alertSilenceDevices.silenceId, ids), devicesOf(db, viewer)))
    .orderBy(asc(devices.id))
  return rows
    .map((silence) => ({ silence, devices: named.flatMap(({ silenceId, deviceId }) => (silenceId === silence.id ? deviceId : [])) }))
    .filter(({ silence, devices }) => silence.isForAllDevices || devices.length > 0)
}

/** Running silences of a user, or with null those of the account for everyone. */
export const countSilences = (db: DbReader, { accountId, userId }: Pick<SilenceRow, 'accountId' | 'userId'>, now: Date) =>
  db.$count(
    alertSilences,
    and(
      eq(alertSilences.accountId, accountId),
      userId === null ? isNull(alertSilences.userId) : eq(alertSilences.userId, userId),
      gt(alertSilences.until, now),
    ),
  )

export async function insertSilence(tx: Tx, silence: typeof alertSilences.$inferInsert, deviceIds: number[]) {
  const [row] = await tx.insert(alertSilences).values(silence).returning()
  if (deviceIds.length > 0) await tx.insert(alertSilenceDevices).values(deviceIds.map((deviceId) => ({ silenceId: row!.id, deviceId })))
  return row!
}

/** Removes trackers from a silence. */
export const deleteSilenceDevices = (tx: Tx, id: number, deviceIds: number[]) =>
  tx.delete(alertSilenceDevices).where(and(eq(alertSilenceDevices.silenceId, id), inArray(alertSilenceDevices.deviceId, deviceIds)))

export const deleteSilence = (tx: Tx, id: number) => tx.delete(alertSilences).where(eq(alertSilences.id, id))

/** Removes the silences of an account that named trackers, all of which are gone. */
export const deleteEmptySilences = (tx: Tx, accountId: number) =>
  tx
    .delete(alertSilences)
    .where(
      and(
        eq(alertSilences.accountId, accountId),
        eq(alertSilences.isForAllDevices, false),
        notExists(tx.select().from(alertSilenceDevices).where(eq(alertSilenceDevices.silenceId, alertSilences.id))),
      ),
    )

type Muted = { devices: readonly Pick<DeviceRow, 'id' | 'accountId'>[]; placeId: number | null }

/** Running silences about a tracker, or about one of two, and the user whose own they are. */
export const listSilencesOf = (db: DbReader, { devices: named, placeId }: Muted, now: Date) => {
  const ids = named.map(({ id }) => id)
  const accountId = named[0]?.accountId ?? 0
  const naming = db
    .select({ id: alertSilenceDevices.silenceId })
    .from(alertSilenceDevices)
    .where(inArray(alertSilenceDevices.deviceId, ids))
  return db
    .select({ userId: alertSilences.userId, email: users.email, kinds: alertSilences.kinds })
    .from(alertSilences)
    .leftJoin(users, eq(users.id, alertSilences.userId))
    .where(
      and(
        eq(alertSilences.accountId, accountId),
        gt(alertSilences.until, now),
        or(alertSilences.isForAllDevices, inArray(alertSilences.id, naming)),
        or(isNull(alertSilences.placeId), placeId === null ? undefined : eq(alertSilences.placeId, placeId)),
      ),
    )
}
