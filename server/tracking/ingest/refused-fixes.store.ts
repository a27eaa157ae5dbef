import { desc, eq, sql } from 'drizzle-orm'
import type { RefusalReason } from '#contracts/rules/tracking/fix.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { refusedFixes } from '#db/schema/positions.ts'

/** Rejected positions of one message, with their time (ms since 1970), in the order of the message. */
export type RefusedFix = { reason: RefusalReason; time: number }

/** The range of instants in the contract: years of four digits. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')] as const

/** Counts the refused fixes for the owner of the tracker, because the device receives a success. */
export async function countRefusedFixes(tx: Tx, deviceId: number, refused: readonly RefusedFix[], now: Date) {
  const last = new Map<RefusalReason, RefusedFix>(refused.map((each) => [each.reason, each]))
  for (const [reason, { time }] of last) {
    const count = refused.filter((each) => each.reason === reason).length
    const seen = { lastAt: now, lastTime: new Date(Math.max(EARLIEST_MS, Math.min(time, LATEST_MS))) }
    await tx
      .insert(refusedFixes)
      .values({ deviceId, reason, count, firstAt: now, ...seen })
      .onConflictDoUpdate({
        target: [refusedFixes.deviceId, refusedFixes.reason],
        set: { count: sql`${refusedFixes.count} + ${count}`, ...seen },
      })
  }
}

/** The newest reason first. */
export const listRefusedFixes = (db: DbReader, deviceId: number) =>
  db.select().from(refusedFixes).where(eq(refusedFixes.deviceId, deviceId)).orderBy(desc(refusedFixes.lastAt), desc(refusedFixes.reason))
