import { and, desc, eq, gt, gte, inArray, isNull, lt, lte, max, or, type SQL, sql } from 'drizzle-orm'
import type { FiringKind } from '#contracts/firings.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { alertFirings, firingMarks } from '#db/schema/places.ts'
import { devicesOf, ofAccount, otherDevices, seesSomeTrackers, type Viewer } from '#db/scope.ts'

export type NewFiring = typeof alertFirings.$inferInsert

/** Returns the id of the new firing. */
export async function insertFiring(tx: Tx, firing: NewFiring) {
  const [row] = await tx.insert(alertFirings).values(firing).returning({ id: alertFirings.id })
  return row!.id
}

/** The last firing of the previous page. */
export type FiringCursor = { at: Date; id: number }
type Filter = {
  id?: number
  device?: number | undefined
  place?: number | undefined
  kind?: FiringKind | undefined
  from?: Date | undefined
  to?: Date | undefined
  isUnread?: boolean
  before?: FiringCursor | undefined
  limit: number
}

/** Fired alerts of trackers that the viewer may see, newest first, with what the viewer has seen of them. */
export function listFirings(db: DbReader, viewer: Viewer, filter: Filter) {
  const { id, device, place, kind, from, to, isUnread, before, limit } = filter
  return db
    .select({
      firing: alertFirings,
      deviceName: devices.name,
      otherName: otherDevices.name,
      isUnread: sql<number>`case when ${IS_UNREAD} then 1 else 0 end`,
    })
    .from(alertFirings)
    .innerJoin(devices, eq(devices.id, alertFirings.deviceId))
    .leftJoin(otherDevices, eq(otherDevices.id, alertFirings.otherId))
    .leftJoin(users, eq(users.id, viewer.userId))
    .leftJoin(firingMarks, and(eq(firingMarks.firingId, alertFirings.id), eq(firingMarks.userId, viewer.userId)))
    .where(
      and(
        isInScope(db, viewer),
        id === undefined ? undefined : eq(alertFirings.id, id),
        device === undefined ? undefined : or(eq(alertFirings.deviceId, device), eq(alertFirings.otherId, device)),
        place === undefined ? undefined : eq(alertFirings.aboutId, place),
        kind && eq(alertFirings.kind, kind),
        from && gte(alertFirings.at, from),
        to && lt(alertFirings.at, to),
        isUnread ? IS_UNREAD : undefined,
        before && or(lt(alertFirings.at, before.at), and(eq(alertFirings.at, before.at), lt(alertFirings.id, before.id))),
      ),
    )
    .orderBy(desc(alertFirings.at), desc(alertFirings.id))
    .limit(limit)
}

/** Of a rule about two trackers the viewer must see both. */
function isInScope(db: DbReader, viewer: Viewer) {
  const seen = db.select({ id: devices.id }).from(devices).where(devicesOf(db, viewer))
  return and(
    ofAccount(alertFirings.accountId, viewer),
    inArray(alertFirings.deviceId, seen),
    seesSomeTrackers(viewer) ? or(isNull(alertFirings.otherId), inArray(alertFirings.otherId, seen)) : undefined,
  )
}

/** Alerts that fired before the user had an account, or before they were numbered like this, count as seen. */
const IS_UNREAD: SQL = or(
  eq(firingMarks.isSeen, false),
  and(isNull(firingMarks.isSeen), gt(alertFirings.id, users.seenFirings), gte(alertFirings.publishedAt, users.createdAt)),
)!

/** Unread alerts are counted up to this number. */
const MAX_UNREAD = 100

/** How many fired alerts the viewer has not seen, at most 100. */
export async function countUnreadFirings(db: DbReader, viewer: Viewer) {
  const [reader] = await db.select({ seen: users.seenFirings, createdAt: users.createdAt }).from(users).where(eq(users.id, viewer.userId))
  if (!reader) return 0
  const find = (condition: SQL | undefined) =>
    db
      .select({ id: alertFirings.id })
      .from(alertFirings)
      .leftJoin(firingMarks, and(eq(firingMarks.firingId, alertFirings.id), eq(firingMarks.userId, viewer.userId)))
      .where(and(isInScope(db, viewer), condition))
      .limit(MAX_UNREAD)
  const isNew = and(
    gt(alertFirings.id, reader.seen),
    gte(alertFirings.publishedAt, reader.createdAt),
    or(isNull(firingMarks.isSeen), eq(firingMarks.isSeen, false)),
  )
  const marked = db
    .select({ id: firingMarks.firingId })
    .from(firingMarks)
    .where(and(eq(firingMarks.userId, viewer.userId), eq(firingMarks.isSeen, false)))
  const isMarked = and(
    inArray(alertFirings.id, marked),
    sql`not (${gt(alertFirings.id, reader.seen)} and ${gte(alertFirings.publishedAt, reader.createdAt)})`,
  )
  const count = (await find(isNew)).length + (await find(isMarked)).length
  return Math.min(count, MAX_UNREAD)
}

/** Marks one firing as seen by a user, or as not seen. */
export const markFiring = (tx: Tx, mark: typeof firingMarks.$inferInsert) =>
  tx
    .insert(firingMarks)
    .values(mark)
    .onConflictDoUpdate({ target: [firingMarks.firingId, firingMarks.userId], set: { isSeen: mark.isSeen } })

/** Marks all firings as seen by a user up to an id. An id that no firing has yet must not hide later ones. */
export async function markSeenUpTo(tx: Tx, userId: number, upTo: number) {
  const [newest] = await tx.select({ id: max(alertFirings.id) }).from(alertFirings)
  const seenFirings = Math.min(upTo, newest?.id ?? 0)
  await tx
    .update(users)
    .set({ seenFirings })
    .where(and(eq(users.id, userId), lt(users.seenFirings, seenFirings)))
  await tx.delete(firingMarks).where(and(eq(firingMarks.userId, userId), lte(firingMarks.firingId, upTo)))
}

export const setFalseAlarm = (tx: Tx, id: number, falseAlarmAt: Date | null) =>
  tx.update(alertFirings).set({ falseAlarmAt }).where(eq(alertFirings.id, id))
