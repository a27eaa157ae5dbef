import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, or } from 'drizzle-orm'
import { isDaily, type QuietSpan } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { quietColumns } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { heldAlerts, mailStops } from '#db/schema/places.ts'
import { otherDevices } from '#db/scope.ts'

const columns = { id: users.id, accountId: users.accountId, email: users.email, language: users.language, ...quietColumns }

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
      and(
        inArray(users.email, emails),
        or(isNotNull(users.quietFrom), isNotNull(users.quietSpans)),
        or(eq(users.emailConfirmed, true), eq(users.accountId, accountId)),
      ),
    )

/** One daily period is stored as servers of the last release store it; of other spans these know the first daily one. */
export function saveQuietHours(tx: Tx, id: number, spans: QuietSpan[]) {
  const daily = spans.find(isDaily)
  const isOnlyDaily = spans.length === (daily ? 1 : 0)
  const columnsOf = { quietFrom: daily?.from ?? null, quietTo: daily?.to ?? null, quietSpans: isOnlyDaily ? null : spans }
  return tx.update(users).set(columnsOf).where(eq(users.id, id))
}

/** Holds an alert for the morning; returns its id. */
export async function holdAlert(tx: Tx, alert: typeof heldAlerts.$inferInsert) {
  const [held] = await tx.insert(heldAlerts).values(alert).returning({ id: heldAlerts.id })
  return held!.id
}

const isWaiting = isNull(heldAlerts.endedAt)

export const countHeldAlerts = (db: DbReader, userId: number) => db.$count(heldAlerts, and(eq(heldAlerts.userId, userId), isWaiting))

export const holdUntil = (tx: Tx, userId: number, until: Date) =>
  tx
    .update(heldAlerts)
    .set({ until })
    .where(and(eq(heldAlerts.userId, userId), isWaiting))

export async function findNextQuietEnd(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(heldAlerts.until) })
    .from(heldAlerts)
    .where(and(gt(heldAlerts.until, after), isWaiting))
  return row?.at ?? null
}

/** The users whose held alerts are due; each gets one mail per account. */
export const listHeldMails = (db: DbReader, by: Date) =>
  db
    .selectDistinct({ userId: heldAlerts.userId, accountId: heldAlerts.accountId })
    .from(heldAlerts)
    .where(and(lte(heldAlerts.until, by), isWaiting))
    .orderBy(asc(heldAlerts.userId), asc(heldAlerts.accountId))

type Held = { userId: number; accountId: number }

/** Ends the due alerts of a mail and returns them in order of time; none when the recipient has unsubscribed. */
export async function takeHeldAlerts(tx: Tx, { userId, accountId }: Held, by: Date) {
  const isDue = and(eq(heldAlerts.userId, userId), eq(heldAlerts.accountId, accountId), lte(heldAlerts.until, by), isWaiting)
  const taken = await tx
    .select({
      id: heldAlerts.id,
      kind: heldAlerts.kind,
      at: heldAlerts.at,
      place: heldAlerts.place,
      rule: heldAlerts.rule,
      tracker: devices.name,
      other: otherDevices.name,
      distance: heldAlerts.distance,
    })
    .from(heldAlerts)
    .innerJoin(devices, eq(devices.id, heldAlerts.deviceId))
    .leftJoin(otherDevices, eq(otherDevices.id, heldAlerts.otherId))
    .where(isDue)
    .orderBy(asc(heldAlerts.at), asc(heldAlerts.id))
  await tx.update(heldAlerts).set({ endedAt: by }).where(isDue)
  const isStopped = await tx.$count(
    mailStops,
    and(
      eq(mailStops.accountId, accountId),
      inArray(mailStops.email, tx.select({ email: users.email }).from(users).where(eq(users.id, userId))),
    ),
  )
  return isStopped > 0 ? [] : taken
}

/** Records which mail lists held alerts. */
export const saveMailOfHeld = (tx: Tx, ids: number[], mailId: number) =>
  tx.update(heldAlerts).set({ mailId }).where(inArray(heldAlerts.id, ids))
