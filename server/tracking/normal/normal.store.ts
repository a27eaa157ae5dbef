import { and, asc, eq, gt, isNotNull, lte, min } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { usualAreas } from '#db/schema/positions.ts'
import { devicesOf, type Viewer } from '#db/scope.ts'

export type UsualRow = typeof usualAreas.$inferSelect

export async function findUsualArea(db: DbReader, deviceId: number): Promise<UsualRow | undefined> {
  const [row] = await db.select().from(usualAreas).where(eq(usualAreas.deviceId, deviceId))
  return row
}

/** What was learnt about the trackers that a viewer may see. */
export const listUsualAreas = (db: DbReader, viewer: Viewer) =>
  db
    .select({ deviceId: usualAreas.deviceId, learnt: usualAreas.learnt, dismissed: usualAreas.dismissed })
    .from(usualAreas)
    .innerJoin(devices, eq(devices.id, usualAreas.deviceId))
    .where(and(isNotNull(usualAreas.learnt), devicesOf(db, viewer)))
    .orderBy(asc(usualAreas.deviceId))

/** Saves what was learnt, unless positions were deleted or learning was switched off meanwhile. Returns whether it was saved. */
export async function saveLearnt(tx: Tx, row: Pick<UsualRow, 'deviceId' | 'version' | 'cells' | 'learnt' | 'learntAt' | 'dueAt'>) {
  const { deviceId, version, ...set } = row
  const [saved] = await tx
    .update(usualAreas)
    .set(set)
    .where(and(eq(usualAreas.deviceId, deviceId), eq(usualAreas.version, version), eq(usualAreas.isOn, true)))
    .returning({ deviceId: usualAreas.deviceId })
  return saved !== undefined
}

export const saveDismissed = (tx: Tx, deviceId: number, dismissed: UsualRow['dismissed']) =>
  tx.insert(usualAreas).values({ deviceId, isOn: false, dismissed }).onConflictDoUpdate({ target: usualAreas.deviceId, set: { dismissed } })

export async function findNextLearning(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(usualAreas.dueAt) })
    .from(usualAreas)
    .where(gt(usualAreas.dueAt, after))
  return row?.at ?? null
}

/** The trackers that are due, the longest due first. */
export const listDueLearning = (db: DbReader, by: Date) =>
  db
    .select({ id: usualAreas.deviceId, version: usualAreas.version, device: devices })
    .from(usualAreas)
    .innerJoin(devices, eq(devices.id, usualAreas.deviceId))
    .where(lte(usualAreas.dueAt, by))
    .orderBy(asc(usualAreas.dueAt), asc(usualAreas.deviceId))
