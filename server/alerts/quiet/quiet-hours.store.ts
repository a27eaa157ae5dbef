import { and, asc, eq, gt, inArray, isNotNull, lte, min, or } from 'drizzle-orm'
import type { Quiet } from '#contracts/rules/local-day.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { heldAlerts, mailStops } from '#db/schema/places.ts'

const columns = {
  id: users.id,
  accountId: users.accountId,
  email: users.email,
  language: users.language,
  from: users.quietFrom,
  to: users.quietTo,
  timeZone: users.timeZone,
}

export async function findQuietUser(db: DbReader, id: number) {
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  return user
}

/** Users with quiet hours whose address receives alerts of an account. An unconfirmed address may belong to another person. */
export const listQuietUsers = (db: DbReader, accountId: number, emails: string[]) =>
  db
    .select(columns)
    .from(users)
    .where(
      and(inArray(users.email, emails), isNotNull(users.quietFrom), or(eq(users.emailConfirmed, true), eq(users.accountId, accountId))),
    )

export const saveQuietHours = (tx: Tx, id: number, quiet: Quiet | null) =>
  tx
    .update(users)
    .set({ quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null })
    .where(eq(users.id, id))

export const holdAlert = (tx: Tx, alert: typeof heldAlerts.$inferInsert) => tx.insert(heldAlerts).values(alert)

export const countHeldAlerts = (db: DbReader, userId: number) => db.$count(heldAlerts, eq(heldAlerts.userId, userId))

export const holdUntil = (tx: Tx, userId: number, until: Date) => tx.update(heldAlerts).set({ until }).where(eq(heldAlerts.userId, userId))

export async function findNextQuietEnd(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(heldAlerts.until) })
    .from(heldAlerts)
    .where(gt(heldAlerts.until, after))
  return row?.at ?? null
}

/** The users whose held alerts are due; each gets one mail per account. */
export const listHeldMails = (db: DbReader, by: Date) =>
  db
    .selectDistinct({ userId: heldAlerts.userId, accountId: heldAlerts.accountId })
    .from(heldAlerts)
    .where(lte(heldAlerts.until, by))
    .orderBy(asc(heldAlerts.userId), asc(heldAlerts.accountId))

type Held = { userId: number; accountId: number }

/** Removes the due alerts of a mail and returns them in order of time; none when the recipient has unsubscribed. */
export async function takeHeldAlerts(tx: Tx, { userId, accountId }: Held, by: Date) {
  const isDue = and(eq(heldAlerts.userId, userId), eq(heldAlerts.accountId, accountId), lte(heldAlerts.until, by))
  const taken = await tx
    .select({ kind: heldAlerts.kind, at: heldAlerts.at, place: heldAlerts.place, tracker: devices.name })
    .from(heldAlerts)
    .innerJoin(devices, eq(devices.id, heldAlerts.deviceId))
    .where(isDue)
    .orderBy(asc(heldAlerts.at), asc(heldAlerts.id))
  await tx.delete(heldAlerts).where(isDue)
  const isStopped = await tx.$count(
    mailStops,
    and(
      eq(mailStops.accountId, accountId),
      inArray(mailStops.email, tx.select({ email: users.email }).from(users).where(eq(users.id, userId))),
    ),
  )
  return isStopped > 0 ? [] : taken
}
