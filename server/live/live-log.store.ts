import { and, asc, eq, gt, inArray, lte, max, sql } from 'drizzle-orm'
import type { LiveBody, LiveType } from '#contracts/live.ts'
import { publishOnCommit } from '#db/commit-hooks.ts'
import type { DbReader, LiveEvent, Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { given, givenRows } from '#db/given-rows.ts'
import { preparedOn } from '#db/prepared.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { devices } from '#db/schema/devices.ts'
import { liveEvents, liveMarks } from '#db/schema/positions.ts'
import { devicesOf, type Viewer } from '#db/scope.ts'

/** The most events that a reconnecting client can catch up on; excess ones are pruned later. */
export const MAX_EVENTS = 1000
/** Old events are deleted in batches, so that most events cost one insert. */
const DELETE_BATCH = 50
/** The mark of all accounts. */
const EVERY_ACCOUNT = 0

export type NewLiveEvent<T extends LiveType = LiveType> = {
  device: { id: number; accountId: number }
  type: T
  body: Omit<LiveBody<T>, 'device'>
  at: Date
}

const COLUMNS = ['accountId', 'deviceId', 'type', 'body', 'at'] as const

type Into = Pick<ReturnType<typeof insertInto>, 'select'>
const insertInto = (tx: Tx) => tx.insert(liveEvents)

/** Inserts the rows that the placeholder `events` contains as JSON, and returns their ids. */
export const selectEvents = (into: Into) =>
  into
    .select(
      sql`select nextval('live_events_id_seq'), ${given('accountId')}, ${given('deviceId')}, ${given('type')}, ${given('body')},
        ${given('at')} from ${givenRows(liveEvents, COLUMNS, 'events')}`,
    )
    .returning({ id: liveEvents.id })

const insertOn = preparedOn((tx: Tx) =>
  hasOneWriter
    ? insertInto(tx)
        .values(Object.fromEntries(COLUMNS.map((name) => [name, sql.placeholder(name)])) as never)
        .returning({ id: liveEvents.id })
        .prepare()
    : selectEvents(insertInto(tx)).prepare(),
)

/**
 * Stores an event, publishes it after the commit, and touches its tracker. The transaction holds the lock of the tracker's account, so that
 * the ids of an account are in the order of their commits. If several transactions run at a time, old events are removed separately.
 */
export const appendLiveEvent = <T extends LiveType>(tx: Tx, event: NewLiveEvent<T>) => appendLiveEvents(tx, [event as NewLiveEvent])

type InsertRows = (rows: Record<string, unknown>[]) => Promise<{ id: number }[]>

/** The same for several events, in order. `insert` is for a statement that also changes something else. */
export async function appendLiveEvents(tx: Tx, events: readonly NewLiveEvent[], insert: InsertRows = (rows) => insertRows(tx, rows)) {
  const rows = events.map(({ device, type, body, at }) => {
    const data = JSON.stringify({ device: device.id, ...body })
    return { accountId: device.accountId, deviceId: device.id, type, body: data, at: hasOneWriter ? at : at.getTime() }
  })
  const ids = (await insert(rows)).map(({ id }) => id).sort((a, b) => a - b)
  for (const [index, { device, type }] of events.entries()) {
    touch(tx, device)
    publishOnCommit(tx, { id: ids[index]!, accountId: device.accountId, deviceId: device.id, type, data: rows[index]!.body })
  }
}

async function insertRows(tx: Tx, rows: Record<string, unknown>[]) {
  if (rows.length === 0) return []
  const insert = insertOn(tx)
  if (!hasOneWriter) return insert.execute({ events: JSON.stringify(rows) })
  const ids: { id: number }[] = []
  for (const row of rows) {
    const [inserted] = await insert.execute(row)
    const { id } = inserted!
    if (id % DELETE_BATCH === 0 && id > MAX_EVENTS) await prune(tx, id - MAX_EVENTS)
    ids.push({ id })
  }
  return ids
}

const pruneOn = preparedOn((tx: Tx) => {
  const prunedTo = sql.placeholder('prunedTo')
  return {
    remove: tx.delete(liveEvents).where(lte(liveEvents.id, prunedTo)).prepare(),
    mark: tx
      .insert(liveMarks)
      .values({ accountId: EVERY_ACCOUNT, prunedTo })
      .onConflictDoUpdate({ target: liveMarks.accountId, set: { prunedTo: sql`${prunedTo}` } })
      .prepare(),
  }
})

async function prune(tx: Tx, prunedTo: number) {
  const { remove, mark } = pruneOn(tx)
  await remove.execute({ prunedTo })
  await mark.execute({ prunedTo })
}

/** At most `limit` events in the viewer's scope after event `id`, oldest first. */
export const listEventsAfter = (db: DbReader, viewer: Viewer, id: number, limit: number): Promise<LiveEvent[]> =>
  db
    .select({
      id: liveEvents.id,
      accountId: liveEvents.accountId,
      deviceId: liveEvents.deviceId,
      type: liveEvents.type,
      data: liveEvents.body,
    })
    .from(liveEvents)
    .innerJoin(devices, eq(devices.id, liveEvents.deviceId))
    .where(and(ofAccount(accountSeenBy(viewer)), gt(liveEvents.id, id), devicesOf(db, viewer)))
    .orderBy(asc(liveEvents.id))
    .limit(limit)

/** The account whose events a viewer receives; null for support, who receives those of all. */
export const accountSeenBy = ({ role, accountId }: Viewer) => (role === 'deepsupport' ? null : accountId)

const ofAccount = (accountId: number | null) => (accountId === null ? undefined : eq(liveEvents.accountId, accountId))

/** The newest event of an account, or of all accounts when null, and whether all its events after `id` are still stored. */
export async function readLogState(db: DbReader, accountId: number | null, id: number) {
  const [all] = await db.select({ id: max(liveEvents.id) }).from(liveEvents)
  const [own] =
    accountId === null
      ? [all]
      : await db
          .select({ id: max(liveEvents.id) })
          .from(liveEvents)
          .where(ofAccount(accountId))
  const ofMarks = accountId === null ? undefined : inArray(liveMarks.accountId, [EVERY_ACCOUNT, accountId])
  const [mark] = await db
    .select({ prunedTo: max(liveMarks.prunedTo) })
    .from(liveMarks)
    .where(ofMarks)
  const prunedTo = mark?.prunedTo ?? 0
  return { newest: Math.max(own?.id ?? 0, prunedTo), isComplete: id >= prunedTo && id <= Math.max(all?.id ?? 0, prunedTo) }
}
