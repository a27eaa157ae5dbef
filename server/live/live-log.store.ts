import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { LiveBody, LiveType } from '#contracts/live.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { devices } from '#db/schema/devices.ts'
import { liveEvents } from '#db/schema/positions.ts'
import { devicesOf, type Viewer } from '#db/scope.ts'
import type { LiveEvent } from '#server/ports/live.ts'

/** Events that a reconnecting client can catch up on. */
const MAX_EVENTS = 1000
/** Old events are deleted in batches, so that most events cost one insert. */
const DELETE_BATCH = 50

type NewLiveEvent<T extends LiveType> = { device: { id: number; accountId: number }; type: T; body: Omit<LiveBody<T>, 'device'>; at: Date }

const insertOn = preparedOn((tx: Tx) =>
  tx
    .insert(liveEvents)
    .values({
      deviceId: sql.placeholder('deviceId'),
      type: sql.placeholder('type'),
      body: sql.placeholder('body'),
      at: sql.placeholder('at'),
    })
    .returning({ id: liveEvents.id })
    .prepare(),
)

/** Stores an event of the live stream; publish the returned event after the commit. */
export async function appendLiveEvent<T extends LiveType>(tx: Tx, { device, type, body, at }: NewLiveEvent<T>): Promise<LiveEvent> {
  const data = JSON.stringify({ device: device.id, ...body })
  const [row] = await insertOn(tx).execute({ deviceId: device.id, type, body: data, at })
  const id = row!.id
  if (id % DELETE_BATCH === 0) await tx.delete(liveEvents).where(lte(liveEvents.id, id - MAX_EVENTS))
  return { id, accountId: device.accountId, deviceId: device.id, type, data }
}

/** The events in the viewer's scope after event `id`, oldest first. */
export const listEventsAfter = (db: DbReader, viewer: Viewer, id: number): Promise<LiveEvent[]> =>
  db
    .select({
      id: liveEvents.id,
      accountId: devices.accountId,
      deviceId: liveEvents.deviceId,
      type: liveEvents.type,
      data: liveEvents.body,
    })
    .from(liveEvents)
    .innerJoin(devices, eq(devices.id, liveEvents.deviceId))
    .where(and(gt(liveEvents.id, id), devicesOf(db, viewer)))
    .orderBy(asc(liveEvents.id))

/** The newest event id, and whether all events after `id` are still stored. */
export async function readLogState(db: DbReader, id: number) {
  const [row] = await db.select({ oldest: sql<number>`coalesce(min(id), 0)`, newest: sql<number>`coalesce(max(id), 0)` }).from(liveEvents)
  const { oldest = 0, newest = 0 } = row ?? {}
  return { newest, isComplete: id >= oldest - 1 && id <= newest }
}
