import { and, asc, desc, eq, gt, inArray, isNull, lte, min } from 'drizzle-orm'
import { YEAR_MS } from '#contracts/rules/subscription.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { planPauses, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'

export type PlanPauseRow = typeof planPauses.$inferSelect
export type PauseRequestRow = typeof unlinkRequests.$inferSelect

export const insertPlanPauses = (tx: Tx, rows: Omit<PlanPauseRow, 'id' | 'resumedAt' | 'providerEnd'>[]) =>
  tx.insert(planPauses).values(rows)

/** When the owner paused the plan of a tracker without support, newest first. */
export async function listOwnPauses(db: DbReader, deviceId: number, limit: number): Promise<Date[]> {
  const rows = await db
    .select({ at: planPauses.startedAt })
    .from(planPauses)
    .where(and(eq(planPauses.deviceId, deviceId), eq(planPauses.isOwn, true)))
    .orderBy(desc(planPauses.startedAt))
    .limit(limit)
  return rows.map(({ at }) => at)
}

/** How often the owner paused the plan of a tracker without support within a year. */
export const countOwnPauses = (db: DbReader, deviceId: number, now: Date) =>
  db.$count(
    planPauses,
    and(eq(planPauses.deviceId, deviceId), eq(planPauses.isOwn, true), gt(planPauses.startedAt, new Date(now.getTime() - YEAR_MS))),
  )

/** The pauses of an account that have not ended. */
export const listOpenPauses = (db: DbReader, accountId: number): Promise<PlanPauseRow[]> =>
  db
    .select()
    .from(planPauses)
    .where(and(eq(planPauses.accountId, accountId), isNull(planPauses.resumedAt)))
    .orderBy(asc(planPauses.id))

export const endPauses = (tx: Tx, ids: readonly number[], resumedAt: Date) =>
  tx
    .update(planPauses)
    .set({ resumedAt })
    .where(inArray(planPauses.id, [...ids]))

/** Ends the pause of a tracker whose plan was taken back. */
export async function endPauseOf(tx: Tx, deviceId: number, now: Date) {
  await tx
    .update(planPauses)
    .set({ resumedAt: now })
    .where(and(eq(planPauses.deviceId, deviceId), isNull(planPauses.resumedAt)))
  await setPause(tx, deviceId, null)
}

export const setPause = (tx: Tx, deviceId: number, pause: { from: Date; until: Date } | null) =>
  tx
    .update(devices)
    .set({ pausedFrom: pause?.from ?? null, pausedUntil: pause?.until ?? null })
    .where(eq(devices.id, deviceId))

/** The newest pause of a renewal: all of its rows began and end at the same time. */
export async function findPauseAtStripe(db: DbReader, providerId: string): Promise<PlanPauseRow | undefined> {
  const [row] = await db.select().from(planPauses).where(eq(planPauses.providerId, providerId)).orderBy(desc(planPauses.id)).limit(1)
  return row
}

/** Saves until when the renewal was paid before the pause, from which its next charge is counted. */
export const saveProviderEnd = (tx: Tx, { providerId, startedAt }: PlanPauseRow, providerEnd: Date) =>
  tx
    .update(planPauses)
    .set({ providerEnd })
    .where(and(eq(planPauses.providerId, providerId ?? ''), eq(planPauses.startedAt, startedAt)))

/** The trackers of an account that one renewal pays for, each with its newest subscription. */
export async function listRenewedTogether(db: DbReader, accountId: number, providerId: string) {
  const rows = await db
    .select({ subscription: subscriptions, device: devices })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(eq(devices.accountId, accountId), eq(subscriptions.providerId, providerId)))
    .orderBy(asc(subscriptions.id))
  return [...new Map<number, { device: DeviceRow; subscription: SubscriptionRow }>(rows.map((row) => [row.device.id, row])).values()]
}

const isOpen = and(eq(unlinkRequests.status, 'pending'), eq(unlinkRequests.kind, 'plan_pause'))

/** The open requests of an account for pausing a plan, oldest first. */
export async function listOpenPauseRequests(db: DbReader, accountId: number): Promise<PauseRequestRow[]> {
  const rows = await db
    .select({ request: unlinkRequests })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(and(isOpen, eq(users.accountId, accountId)))
    .orderBy(asc(unlinkRequests.id))
  return rows.map(({ request }) => request)
}

type NewRequest = Pick<typeof unlinkRequests.$inferInsert, 'userId' | 'email' | 'message' | 'fromDeviceId' | 'pauseUntil' | 'createdAt'>

/** The identifier is empty, because no other account has the tracker. */
export async function insertPauseRequest(tx: Tx, request: NewRequest): Promise<PauseRequestRow> {
  const kind = { kind: 'plan_pause', identifier: '', reason: 'other', status: 'pending' } as const
  const [added] = await tx
    .insert(unlinkRequests)
    .values({ ...request, ...kind })
    .returning()
  return added!
}

/** The earliest end of a pause later than `after`. */
export async function findNextPauseEnd(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(planPauses.until) })
    .from(planPauses)
    .where(and(isNull(planPauses.resumedAt), gt(planPauses.until, after)))
  return row?.at ?? null
}

const isOver = (by: Date) => and(isNull(planPauses.resumedAt), lte(planPauses.until, by))

/** Accounts with a pause that is over by then. */
export async function listAccountsWithEndedPause(db: DbReader, by: Date): Promise<number[]> {
  const rows = await db
    .selectDistinct({ accountId: planPauses.accountId })
    .from(planPauses)
    .where(isOver(by))
    .orderBy(asc(planPauses.accountId))
  return rows.map(({ accountId }) => accountId)
}

export const listEndedPauses = (db: DbReader, accountId: number, by: Date): Promise<PlanPauseRow[]> =>
  db
    .select()
    .from(planPauses)
    .where(and(eq(planPauses.accountId, accountId), isOver(by)))
    .orderBy(asc(planPauses.id))
