import { and, asc, eq, gt, gte, lte, min } from 'drizzle-orm'
import { GAP_MS } from '#contracts/rules/history/trips.ts'
import { HOUR_MS, isTimeZone } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { daySummaries } from '#db/schema/positions.ts'
import type { Viewer } from '#db/scope.ts'

export type SummaryRow = typeof daySummaries.$inferSelect

/** A period from second `start` to before second `end`. */
export type Span = { start: number; end: number }

/** The time zone of a user's settings, or UTC. */
export async function findTimeZone(db: DbReader, { userId }: Viewer) {
  const [user] = await db.select({ timeZone: users.timeZone }).from(users).where(eq(users.id, userId))
  return user?.timeZone && isTimeZone(user.timeZone) ? user.timeZone : 'UTC'
}

/** The saved summaries that begin within a span. */
export const listSummaries = (db: DbReader, deviceId: number, { start, end }: Span) =>
  db
    .select()
    .from(daySummaries)
    .where(and(eq(daySummaries.deviceId, deviceId), gte(daySummaries.start, start), lte(daySummaries.start, end)))

export async function saveSummaries(tx: Tx, rows: readonly SummaryRow[]) {
  const target = [daySummaries.deviceId, daySummaries.start, daySummaries.end]
  for (const { deviceId, start, end, ...set } of rows)
    await tx
      .insert(daySummaries)
      .values({ deviceId, start, end, ...set })
      .onConflictDoUpdate({ target, set })
}

const isRow = ({ deviceId, start, end }: Span & { deviceId: number }) =>
  and(eq(daySummaries.deviceId, deviceId), eq(daySummaries.start, start), eq(daySummaries.end, end))

export async function isSummaryStale(tx: Tx, of: Span & { deviceId: number }) {
  const [row] = await tx.select({ isStale: daySummaries.isStale }).from(daySummaries).where(isRow(of))
  return row?.isStale === true
}

export const removeSummary = (tx: Tx, of: Span & { deviceId: number }) => tx.delete(daySummaries).where(isRow(of))

/**
 * A day is summarized again when it has been over for this long, so that its last messages have arrived and no later position changes it.
 */
const DELAY_MS = GAP_MS + HOUR_MS
/** Days per run. */
const AT_ONCE = 200

const toSecond = (date: Date) => Math.floor((date.getTime() - DELAY_MS) / 1000)

export const listStaleSummaries = (db: DbReader, by: Date) =>
  db
    .select({ deviceId: daySummaries.deviceId, start: daySummaries.start, end: daySummaries.end })
    .from(daySummaries)
    .where(and(eq(daySummaries.isStale, true), lte(daySummaries.end, toSecond(by))))
    .orderBy(asc(daySummaries.end), asc(daySummaries.deviceId))
    .limit(AT_ONCE)

export async function findNextStaleSummary(db: DbReader, after: Date) {
  const [row] = await db
    .select({ end: min(daySummaries.end) })
    .from(daySummaries)
    .where(and(eq(daySummaries.isStale, true), gt(daySummaries.end, toSecond(after))))
  return row?.end ? new Date(row.end * 1000 + DELAY_MS) : null
}
