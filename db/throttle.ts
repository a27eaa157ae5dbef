import { eq, lte } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { throttles } from '#db/schema/accounts.ts'

/** How often the thing was tried in its present window; windows that are over are forgotten. */
export async function triesOf(tx: Tx, key: string, now: Date) {
  await tx.delete(throttles).where(lte(throttles.resetsAt, now))
  const [row] = await tx.select().from(throttles).where(eq(throttles.key, key))
  return row
}

/** Begins a window, or sets the count of the one that runs. */
export const setTries = (tx: Tx, row: typeof throttles.$inferInsert) =>
  tx
    .insert(throttles)
    .values(row)
    .onConflictDoUpdate({ target: throttles.key, set: { count: row.count } })

export const forgetTries = (tx: Tx, key: string) => tx.delete(throttles).where(eq(throttles.key, key))
