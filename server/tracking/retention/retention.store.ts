import { and, asc, eq, gt, inArray, isNotNull, lte, min } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { alertFirings } from '#db/schema/places.ts'
import { liveEvents } from '#db/schema/positions.ts'

export type RetentionRow = Pick<typeof accounts.$inferSelect, 'retentionDays' | 'retentionDueAt' | 'positionsRemovedBefore'>

const columns = {
  retentionDays: accounts.retentionDays,
  retentionDueAt: accounts.retentionDueAt,
  positionsRemovedBefore: accounts.positionsRemovedBefore,
}

export async function findRetention(db: DbReader, accountId: number): Promise<RetentionRow | undefined> {
  const [row] = await db.select(columns).from(accounts).where(eq(accounts.id, accountId))
  return row
}

export const saveRetention = (tx: Tx, accountId: number, change: Partial<RetentionRow>) =>
  tx.update(accounts).set(change).where(eq(accounts.id, accountId))

const hasEnd = isNotNull(accounts.retentionDays)

export async function listAccountsDue(db: DbReader, by: Date) {
  const due = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(hasEnd, lte(accounts.retentionDueAt, by)))
    .orderBy(asc(accounts.id))
  return due.map(({ id }) => id)
}

export async function findNextRemoval(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(accounts.retentionDueAt) })
    .from(accounts)
    .where(and(hasEnd, gt(accounts.retentionDueAt, after)))
  return row?.at ?? null
}

export async function listTrackers(db: DbReader, accountId: number) {
  const rows = await db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, accountId)).orderBy(asc(devices.id))
  return rows.map(({ id }) => id)
}

/** Events contain positions too. */
export const removeEvents = (tx: Tx, deviceId: number, until: Date) =>
  tx.delete(liveEvents).where(and(eq(liveEvents.deviceId, deviceId), lte(liveEvents.at, until)))

/** Removes where alerts fired; that they fired, when and at which place stays. */
export const removePlacesOfFirings = (tx: Tx, deviceId: number, until: Date) =>
  tx
    .update(alertFirings)
    .set({ lat: null, lng: null, precision: null, address: null })
    .where(and(eq(alertFirings.deviceId, deviceId), lte(alertFirings.at, until), isNotNull(alertFirings.lat)))

/** The retention of the owner of each of some trackers. */
export const listRetentions = (db: DbReader, deviceIds: readonly number[]) =>
  db
    .select({ deviceId: devices.id, ...columns })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.accountId))
    .where(inArray(devices.id, [...deviceIds]))
