import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { latePeriods } from '#db/schema/positions.ts'

/** Length of the periods that are marked again at once: a quarter of a day, or 21,600 fixes at most. */
export const PERIOD_SECONDS = 6 * 3600

export const periodStart = (time: number) => Math.floor(time / PERIOD_SECONDS) * PERIOD_SECONDS

/** Fixes that arrive late seldom come alone. */
const DELAY_MS = HOUR_MS

/** Queues the periods of late fixes; they are marked again an hour later, or an hour after their end. */
export async function addLatePeriods(tx: Tx, deviceId: number, times: readonly number[], now: Date) {
  const starts = [...new Set(times.map(periodStart))]
  const rows = starts.map((start) => ({
    deviceId,
    start,
    dueAt: new Date(Math.max(now.getTime(), (start + PERIOD_SECONDS) * 1000) + DELAY_MS),
  }))
  if (rows.length > 0) await tx.insert(latePeriods).values(rows).onConflictDoNothing()
}

export async function findNextLatePeriod(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: sql<number | null>`min(${latePeriods.dueAt})` })
    .from(latePeriods)
    .where(gt(latePeriods.dueAt, after))
  return row?.at ? new Date(row.at) : null
}

/** In the order in which they are due. */
export const listLatePeriods = (db: DbReader, by: Date) =>
  db
    .select({ deviceId: latePeriods.deviceId, start: latePeriods.start })
    .from(latePeriods)
    .where(lte(latePeriods.dueAt, by))
    .orderBy(asc(latePeriods.dueAt), asc(latePeriods.deviceId), asc(latePeriods.start))

/** Returns false when another run was faster. */
export async function removeLatePeriod(tx: Tx, { deviceId, start }: { deviceId: number; start: number }) {
  const removed = await tx
    .delete(latePeriods)
    .where(and(eq(latePeriods.deviceId, deviceId), eq(latePeriods.start, start)))
    .returning({ start: latePeriods.start })
  return removed.length > 0
}
