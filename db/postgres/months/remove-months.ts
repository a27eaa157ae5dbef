import { setTimeout as delay } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import type pg from 'pg'
import { isLockTimeout } from '#db/classify-error.ts'
import type { Db, DbReader, MonthRemoval, Tx } from '#db/db.ts'
import { LONGEST_DAY_SECONDS, type PositionStore, REACH_SECONDS } from '#db/positions.ts'
import { listMonths, type Month, parseMonth } from '#db/postgres/packed/pack.ts'
import { COLUMNS, type Queryable } from '#db/postgres/packed/read-fixes.ts'
import { devices } from '#db/schema/devices.ts'
import { lockAccounts } from '#db/scope.ts'
import { createMonth } from './partitions.ts'

/** Advisory lock of the server that removes months; the number is arbitrary. */
const REMOVE_LOCK = 7_326_043
/** All statements about positions wait behind the change of the tables, so it gives up soon and is tried again. */
const LOCK_TIMEOUT_MS = 100
const LOCK_TRIES = 20
const LOCK_PAUSE_MS = 250
/** Trackers whose owners are asked together. */
const TRACKERS_AT_ONCE = 500
/** Trackers of one transaction, during which messages of their accounts wait. */
const SETTLED_AT_ONCE = 50
const ROWS_AT_ONCE = 5000
const SUFFIX = '_removed'

type Ports = {
  query: Queryable['query']
  read: DbReader
  write: Db['write']
  clientOf: (tx: Tx) => Queryable
  positions: PositionStore
  inSession: (work: (client: pg.Client) => Promise<void>) => Promise<void>
}

/** The next trackers of a table of positions. Jumps from tracker to tracker in the key, so their rows are not read. */
const NEXT_TRACKERS = (table: string) => `with recursive next as (
    (select device_id from ${table} where device_id > $1 order by device_id limit 1)
    union all
    select (select device_id from ${table} where device_id > next.device_id order by device_id limit 1) from next where next.device_id is not null
  ) select device_id from next where device_id is not null limit $2`

/** Updates what depends on the positions of trackers $1 before second $2, as `PositionStore.removeUntil` does. */
const SETTLE = `with counted as (
    insert into position_changes (device_id, version) select unnest($1::bigint[]), pg_current_xact_id()::text::bigint
    on conflict (device_id) do update set version = excluded.version),
  forgotten as (update usual_areas set cells = null, learnt = null, learnt_at = null, due_at = case when is_on then 0 end, version = version + 1
    where device_id = any($1)),
  old as (delete from day_summaries where device_id = any($1) and "end" <= $2::bigint)
  update day_summaries set is_stale = true
    where device_id = any($1) and "end" > $2 and start > $2 - ${LONGEST_DAY_SECONDS + REACH_SECONDS} and start <= $2 + ${REACH_SECONDS} and not is_stale`

/**
 * Removes months in two steps. The first one detaches the table of a month and puts an empty one in its place, which takes milliseconds. The
 * second one goes through the trackers of the detached table, which then is dropped; after an interruption the next run continues with it.
 * If an owner has begun to need positions between the look and the detaching, the second step adds them again.
 */
export function createMonthRemoval(ports: Ports) {
  /** For each partition the tracker that kept it the last time. While it still does, the others are not checked. */
  const needing = new Map<string, number>()
  return async ({ endedBy, listNeeding }: MonthRemoval) => {
    const { query, read } = ports
    const months: Month[] = []
    for (const month of await listMonths({ query }, endedBy)) {
      const before = new Date(month.to * 1000)
      const known = needing.get(month.partition)
      if (
        known !== undefined &&
        (await hasRows({ query }, month.partition, known)) &&
        (await listNeeding(read, [known], before)).length > 0
      )
        continue
      const found = await findNeeding({ query }, month.partition, (ids) => listNeeding(read, ids, before))
      if (found === null) months.push(month)
      else if (found > 0) needing.set(month.partition, found)
    }
    if (months.length === 0 && (await listDetached({ query })).length === 0) return 0
    let removed = 0
    await ports.inSession(async (client) => {
      const { rows } = await client.query(`select pg_try_advisory_lock(${REMOVE_LOCK}) as mine`)
      if (!rows[0].mine) return
      const settle = (month: Month) => settleMonth(ports, month, listNeeding)
      for (const month of await listDetached(client)) await settle(month)
      for (const month of months) {
        if (!(await detach(client, month))) return
        await settle(month)
        removed++
      }
    })
    return removed
  }
}

const hasRows = async (on: Queryable, table: string, deviceId: number) =>
  (await on.query(`select 1 from ${table} where device_id = $1 limit 1`, [deviceId])).rows.length > 0

async function listTrackers(on: Queryable, table: string, after: number, limit: number) {
  const { rows } = await on.query(NEXT_TRACKERS(table), [after, limit])
  return rows.map(({ device_id }) => device_id as number)
}

/** A tracker with rows in a month that its owner needs; null if there are rows that no owner needs; 0 if there are none. */
async function findNeeding(on: Queryable, partition: string, listNeeding: (deviceIds: number[]) => Promise<number[]>) {
  for (let last = 0; ; ) {
    const ids = await listTrackers(on, partition, last, TRACKERS_AT_ONCE)
    if (ids.length === 0) return last === 0 ? 0 : null
    const [found] = await listNeeding(ids)
    if (found !== undefined) return found
    last = ids.at(-1)!
  }
}

/** Months whose removal was interrupted. */
async function listDetached(on: Queryable): Promise<Month[]> {
  const { rows } = await on.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname like 'positions\\_%${SUFFIX.replace('_', '\\_')}'
       and relnamespace = (select relnamespace from pg_class where oid = 'positions'::regclass) order by 1`,
  )
  return rows.flatMap(({ name }) => parseMonth(name.slice(0, -SUFFIX.length)) ?? [])
}

/** Returns false if statements that run for long prevent it. */
async function detach(client: pg.Client, month: Month) {
  const { partition } = month
  for (let attempt = 1; ; attempt++)
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query(`alter table positions detach partition ${partition}`)
      await client.query(`alter table ${partition} rename to ${partition}${SUFFIX}`)
      await createMonth(client, month)
      await client.query('commit')
      return true
    } catch (error) {
      await client.query('rollback')
      if (!isLockTimeout(error)) throw error
      if (attempt === LOCK_TRIES) return false
      await delay(LOCK_PAUSE_MS)
    }
}

async function settleMonth(
  { query, write, clientOf, positions }: Ports,
  { partition, to }: Month,
  listNeeding: MonthRemoval['listNeeding'],
) {
  const table = `${partition}${SUFFIX}`
  for (let last = 0; ; ) {
    const ids = await listTrackers({ query }, table, last, SETTLED_AT_ONCE)
    if (ids.length === 0) break
    last = ids.at(-1)!
    await write(
      lockAccounts((db) => db.select({ accountId: devices.accountId }).from(devices).where(inArray(devices.id, ids))),
      async (tx) => {
        const kept = await listNeeding(tx, ids, new Date(to * 1000))
        for (const id of kept) await addAgain(tx, clientOf(tx), table, id, positions)
        await clientOf(tx).query(SETTLE, [ids.filter((id) => !kept.includes(id)), to])
      },
    )
  }
  await query(`drop table ${table}`)
}

async function addAgain(tx: Tx, client: Queryable, table: string, deviceId: number, positions: PositionStore) {
  const { rows } = await client.query(`delete from ${table} where device_id = $1 returning ${COLUMNS}`, [deviceId])
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) await positions.add(tx, deviceId, rows.slice(first, first + ROWS_AT_ONCE))
}
