import { and, asc, desc, eq, gt, inArray } from 'drizzle-orm'
import { YEAR_MS } from '#contracts/rules/subscription.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { planMoves, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'

export type PlanMoveRow = typeof planMoves.$inferSelect
export type MoveRequestRow = typeof unlinkRequests.$inferSelect
type NewRequest = Pick<typeof unlinkRequests.$inferInsert, 'userId' | 'email' | 'message' | 'fromDeviceId' | 'toDeviceId' | 'createdAt'>

export const insertPlanMove = (tx: Tx, row: Omit<PlanMoveRow, 'id'>) => tx.insert(planMoves).values(row)

/** When the owner moved plans without support, newest first. */
export async function listOwnMoves(db: DbReader, accountId: number, limit: number): Promise<Date[]> {
  const rows = await db
    .select({ at: planMoves.movedAt })
    .from(planMoves)
    .where(and(eq(planMoves.accountId, accountId), eq(planMoves.isOwn, true)))
    .orderBy(desc(planMoves.movedAt))
    .limit(limit)
  return rows.map(({ at }) => at)
}

/** How many plans the owner moved without support within a year. */
export const countOwnMoves = (db: DbReader, accountId: number, now: Date) =>
  db.$count(
    planMoves,
    and(eq(planMoves.accountId, accountId), eq(planMoves.isOwn, true), gt(planMoves.movedAt, new Date(now.getTime() - YEAR_MS))),
  )

/** Oldest first. */
export const listPlanMoves = (db: DbReader, accountId: number): Promise<PlanMoveRow[]> =>
  db.select().from(planMoves).where(eq(planMoves.accountId, accountId)).orderBy(asc(planMoves.movedAt), asc(planMoves.id))

const isOpen = (accountId: number) =>
  and(eq(users.accountId, accountId), eq(unlinkRequests.status, 'pending'), eq(unlinkRequests.kind, 'plan_move'))

/** The open requests of an account for moving a plan, oldest first. */
export async function listOpenMoveRequests(db: DbReader, accountId: number): Promise<MoveRequestRow[]> {
  const rows = await db
    .select({ request: unlinkRequests })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(isOpen(accountId))
    .orderBy(asc(unlinkRequests.id))
  return rows.map(({ request }) => request)
}

/** The identifier is empty, because no other account has the tracker. */
export async function insertMoveRequest(tx: Tx, request: NewRequest): Promise<MoveRequestRow> {
  const kind = { kind: 'plan_move', identifier: '', reason: 'other', status: 'pending' } as const
  const [added] = await tx
    .insert(unlinkRequests)
    .values({ ...request, ...kind })
    .returning()
  return added!
}

/** The trackers of an account with these ids. */
export async function findOwnTrackers(db: DbReader, accountId: number, ids: readonly number[]): Promise<Map<number, DeviceRow>> {
  const rows = await db
    .select()
    .from(devices)
    .where(and(eq(devices.accountId, accountId), inArray(devices.id, [...ids])))
  return new Map(rows.map((row) => [row.id, row]))
}

type OwnRequest = { id: number; kind: 'plan_move' | 'plan_pause'; accountId: number }

/** The status of a request of an account about a plan; undefined if it has none with this number. */
export async function findRequestStatus(db: DbReader, { id, kind, accountId }: OwnRequest) {
  const [found] = await db
    .select({ status: unlinkRequests.status })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(and(eq(unlinkRequests.id, id), eq(unlinkRequests.kind, kind), eq(users.accountId, accountId)))
  return found?.status
}

export const markWithdrawn = (tx: Tx, id: number, now: Date) =>
  tx.update(unlinkRequests).set({ status: 'withdrawn', decidedAt: now }).where(eq(unlinkRequests.id, id))
