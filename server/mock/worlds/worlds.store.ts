import { and, asc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import type { Db, DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { accounts, tokens, users } from '#db/schema/accounts.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { staffSessions } from '#db/schema/staff.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'

/** The expiry of sessions that the control plane creates: they survive jumps of any length, unlike those of the sign-in form. */
export const NO_END = new Date('9999-12-31T23:59:59Z')

/** Marks the sessions of the control plane as used at a time, so that none expires unused during a jump. */
export const keepSessions = (db: Db, now: Date) =>
  writeDevices(db, [], async (tx) => {
    await tx
      .update(tokens)
      .set({ lastSeenAt: now })
      .where(and(eq(tokens.expiresAt, NO_END), lt(tokens.lastSeenAt, now)))
    await tx
      .update(staffSessions)
      .set({ lastSeenAt: now })
      .where(and(eq(staffSessions.expiresAt, NO_END), lt(staffSessions.lastSeenAt, now)))
  })

/** Creates sessions for several users in one transaction; returns their tokens by user. Users that no longer exist get none. */
export const createSessions = ({ db, clock, ids }: World, userIds: number[]): Promise<Map<number, string>> =>
  db.write('everything', async (tx) => {
    const now = clock.now()
    const instants = { createdAt: now, lastSeenAt: now, expiresAt: NO_END }
    const there = await tx.select({ id: users.id }).from(users).where(inArray(users.id, userIds)).orderBy(users.id)
    const sessions = new Map(there.map(({ id }) => [id, ids.token()]))
    const rows = [...sessions].map(([userId, token]) => ({ hash: sha256(token), userId, ...instants }))
    if (rows.length > 0) await tx.insert(tokens).values(rows)
    return sessions
  })

/** Recurring subscriptions that renew later than `after`, up to and including `to`. */
export const listRenewals = (db: DbReader, after: Date, to: Date) =>
  db
    .select({ id: subscriptions.id, at: subscriptions.renewsAt })
    .from(subscriptions)
    .where(and(eq(subscriptions.isRecurring, true), gt(subscriptions.renewsAt, after), lte(subscriptions.renewsAt, to)))
    .orderBy(asc(subscriptions.renewsAt), asc(subscriptions.id))

export async function findNextRenewal(db: DbReader, after: Date) {
  const [first] = await db
    .select({ at: subscriptions.renewsAt })
    .from(subscriptions)
    .where(and(eq(subscriptions.isRecurring, true), gt(subscriptions.renewsAt, after)))
    .orderBy(asc(subscriptions.renewsAt))
    .limit(1)
  return first?.at ?? null
}

export async function findDeviceId(db: DbReader, identifier: string) {
  const [device] = await db.select({ id: devices.id }).from(devices).where(eq(devices.identifier, identifier))
  return device?.id
}

/** Finds a persona by id, whatever its current e-mail; undefined when it was deleted. */
export async function findPersonaUser(db: DbReader, id: number) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}
