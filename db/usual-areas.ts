import { eq, sql } from 'drizzle-orm'
import { usualAreas } from '#db/schema/positions.ts'
import type { DbReader, Tx } from './db.ts'
import { preparedOn } from './prepared.ts'

const cellsOn = preparedOn((db: DbReader) =>
  db
    .select({ cells: usualAreas.cells })
    .from(usualAreas)
    .where(eq(usualAreas.deviceId, sql.placeholder('deviceId')))
    .prepare(),
)

/** The packed cells of a tracker; null while nothing is learnt. Prepared, because each message of a tracker with a rule `unusual` needs them. */
export async function findCells(db: DbReader, deviceId: number): Promise<string | null> {
  const [row] = await cellsOn(db).execute({ deviceId })
  return row?.cells ?? null
}

/** Lets the server learn where a tracker usually is, at once if it did not yet, or stops it, which deletes what was learnt. */
export async function switchLearning(tx: Tx, deviceId: number, isOn: boolean, now: Date) {
  const off = { cells: null, learnt: null, learntAt: null, dueAt: null }
  await tx
    .insert(usualAreas)
    .values({ deviceId, isOn, dueAt: isOn ? now : null })
    .onConflictDoUpdate({
      target: usualAreas.deviceId,
      set: isOn ? { isOn, dueAt: sql`case when ${usualAreas.isOn} then ${usualAreas.dueAt} else excluded.due_at end` } : { isOn, ...off },
    })
}
