import { and, eq, gt, gte, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { Db, DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { throttles } from '#db/schema/accounts.ts'
import { skipLocked } from '#db/schema/columns.ts'

/** The number of attempts in the current window; expired windows are deleted. */
export async function readTries(tx: Tx, key: string, now: Date) {
  // Rows that another transaction is updating are skipped.
  const over = skipLocked(tx.select({ key: throttles.key }).from(throttles).where(lte(throttles.resetsAt, now)))
  await tx.delete(throttles).where(inArray(throttles.key, over))
  const [row] = await tx.select().from(throttles).where(eq(throttles.key, key))
  return row
}

/** Begins a window, or sets the count of the current one. */
export const setTries = (tx: Tx, row: typeof throttles.$inferInsert) =>
  tx
    .insert(throttles)
    .values(row)
    .onConflictDoUpdate({ target: throttles.key, set: { count: row.count } })

/** The key and all keys that continue it after a colon. */
const isKeyOf = (key: string) => or(eq(throttles.key, key), and(gte(throttles.key, `${key}:`), lt(throttles.key, `${key};`)))

/** Deletes the attempts under a key and under all keys that continue it after a colon. */
export const forgetTriesOf = (tx: Tx, key: string) => tx.delete(throttles).where(isKeyOf(key))

/** The attempts that count now, under a key and under all keys that continue it after a colon. */
export const listTriesOf = (db: DbReader, key: string, now: Date) =>
  db
    .select()
    .from(throttles)
    .where(and(isKeyOf(key), gt(throttles.resetsAt, now)))

export const forgetTries = (tx: Tx, key: string) => tx.delete(throttles).where(eq(throttles.key, key))

/** Takes `wanted` from a quota in one statement, or returns false when fewer are left. */
export async function takeFromQuota(db: Db, { key, max, resetsAt }: { key: string; max: number; resetsAt: Date }, wanted: number) {
  if (wanted > max) return false
  const rows = await writeDevices(db, [], (tx) =>
    tx
      .insert(throttles)
      .values({ key, count: wanted, resetsAt })
      .onConflictDoUpdate({
        target: throttles.key,
        set: { count: sql`${throttles.count} + ${wanted}` },
        setWhere: lte(throttles.count, max - wanted),
      })
      .returning({ count: throttles.count }),
  )
  return rows.length > 0
}
