import { LONGEST_DAY_SECONDS, markNumber, type PositionStore, REACH_SECONDS, spanOf } from '#db/positions.ts'
import { NAMES, type Tuple, unpackFixes } from '#db/postgres/packed/codec.ts'
import { COLUMNS, OVERLAPPING, type Queryable, readBelievedOn, readPositionsOn, readVersion } from '#db/postgres/packed/read-fixes.ts'
import type { Connections } from './connection.ts'

const KEPT = markNumber('kept')
/** Marks that no later fix changes. */
const FINAL = [markNumber('zero'), markNumber('vague'), KEPT].join(', ')
const TYPES = ['bigint', 'integer', 'integer', 'integer', 'smallint', 'integer', 'integer', 'smallint', 'integer', 'smallint']

/**
 * Changes fixes of tracker $1, increments its version and marks the summaries of the days between seconds $2 and $3 as outdated: one round
 * trip for all of it. Returns how many fixes changed.
 */
const changing = (change: string, result = `count(*), ${TOUCHES_BLOCK} from changed`) => `with changed as (${change} returning time),
  counted as (insert into position_changes (device_id, version)
    select $1::bigint, pg_current_xact_id()::text::bigint where exists (select from changed)
    on conflict (device_id) do update set version = excluded.version),
  outdated as (update day_summaries set is_stale = true where device_id = $1 and start > $2::bigint - ${LONGEST_DAY_SECONDS + REACH_SECONDS}
    and start <= $3::bigint + ${REACH_SECONDS} and "end" > $2::bigint - ${REACH_SECONDS} and not is_stale and exists (select from changed))
  select ${result}`

/** Whether a block overlaps the seconds $2 to $3: then `unpack` first makes rows of it. */
const TOUCHES_BLOCK = `exists (select from (
    select last_time from position_blocks where device_id = $1 and first_time <= $3 order by first_time desc limit 1) as newest where last_time >= $2)`
const isLastBlockOf = (device: string, second: string) =>
  `(select first_time, last_time from position_blocks where device_id = ${device} and first_time <= ${second} order by first_time desc limit 1)`

const insertOne = (condition: string) =>
  `insert into positions (device_id, ${COLUMNS}) select $1::bigint, * from unnest(${TYPES.map((type, index) => `$${index + 4}::${type}[]`).join(', ')}) ${condition} on conflict do nothing`

const insertMany = (condition: string) => `with touched as materialized (
      select from (select device_id, min(time) as first, max(time) as last from unnest($1::bigint[], $3::bigint[]) as given(device_id, time) group by device_id) as span,
      lateral ${isLastBlockOf('span.device_id', 'span.last')} as newest where last_time >= span.first limit 1),
    changed as (
      insert into positions (device_id, ${COLUMNS}) select * from unnest($1::bigint[], ${TYPES.map((type, index) => `$${index + 3}::${type}[]`).join(', ')})
      ${condition} on conflict do nothing returning device_id, time),
    span as (select device_id, min(time) as first, max(time) as last from changed group by device_id),
    counted as (insert into position_changes (device_id, version) select device_id, pg_current_xact_id()::text::bigint from span
      on conflict (device_id) do update set version = excluded.version),
    outdated as (update day_summaries day set is_stale = true from span where day.device_id = span.device_id
      and start > span.first - ${LONGEST_DAY_SECONDS + REACH_SECONDS} and start <= span.last + ${REACH_SECONDS}
      and "end" > span.first - ${REACH_SECONDS} and not is_stale)
    select case when count(*) < $2::bigint then coalesce(json_agg(json_build_array(device_id, time)), '[]'::json) end, exists (select from touched) from changed`

const STATEMENTS = {
  // One array per column is three times as fast as a list of rows, and the statement's text is the same for any number of rows.
  insert: changing(insertOne(`where not ${TOUCHES_BLOCK}`), `time from changed union all select null where ${TOUCHES_BLOCK}`),
  insertUnpacked: changing(insertOne(''), 'time from changed'),
  insertAll: insertMany('where not exists (select from touched)'),
  insertAllUnpacked: insertMany(''),
  erase: 'with erased as (delete from position_blocks where device_id = $1) delete from positions where device_id = $1',
  eraseAt: changing('delete from positions where device_id = $1 and time = any($4::bigint[])'),
  eraseUntil:
    'delete from positions where device_id = $1 and time in (select time from positions where device_id = $1 and time <= $2 order by time limit $3)',
  eraseBlocksUntil: `with old as (
      select first_time from (select first_time, sum(count) over (order by first_time) - count as before
        from position_blocks where device_id = $1 and last_time <= $2) as block where before < $3),
    erased as (delete from position_blocks where device_id = $1 and first_time in (select first_time from old) returning count)
    select coalesce(sum(count), 0) from erased`,
  takeBlocks: `delete from position_blocks ${OVERLAPPING.replace('from position_blocks ', '')} returning bytes`,
  takeBlocksOf: `delete from position_blocks as block using (select distinct first_time from unnest($2::bigint[]) as given(second),
      lateral ${isLastBlockOf('$1', 'second')} as newest where last_time >= second) as touched
    where block.device_id = $1 and block.first_time = touched.first_time returning bytes`,
  restore: `insert into positions (device_id, ${COLUMNS}) select $1::bigint, * from unnest(${TYPES.map((type, index) => `$${index + 2}::${type}[]`).join(', ')})`,
  judge: changing(
    `update positions set mark = $4::smallint where device_id = $1 and time >= $2 and time <= $3 and (mark is null or mark not in (${FINAL})) and mark is distinct from $4::smallint`,
  ),
  mark: changing('update positions set mark = $4::smallint where device_id = $1 and time = $2 and mark is distinct from $4::smallint'),
  setEvent: changing(
    'update positions set event = $4::smallint where device_id = $1 and time = $2 and event is distinct from $4::smallint',
  ),
  outdate: 'update day_summaries set is_stale = true where device_id = $1 and start > $2 and start <= $3 and "end" > $4 and not is_stale',
  removeSummaries: 'delete from day_summaries where device_id = $1',
  forgetUsual:
    'update usual_areas set cells = null, learnt = null, learnt_at = null, due_at = case when is_on then 0 end, version = version + 1 where device_id = $1',
  removeOldSummaries: 'delete from day_summaries where device_id = $1 and "end" <= $2',
  countChange:
    'insert into position_changes (device_id, version) values ($1, pg_current_xact_id()::text::bigint) on conflict (device_id) do update set version = excluded.version',
  forgetChanges: 'delete from position_changes where device_id = $1',
}
type Name = keyof typeof STATEMENTS

async function run(on: Queryable, name: Name, values: unknown[]) {
  const result = await on.query<Tuple>({ name, text: STATEMENTS[name], values, rowMode: 'array' } as never)
  return { rows: result.rows as unknown as Tuple[], changed: result.rowCount ?? 0 }
}

/** Makes rows of the blocks that contain one of some seconds, or that overlap a period. Later the blocks are packed again. */
export async function unpack(on: Queryable, deviceId: number, at: { seconds: readonly number[] } | { first: number; last: number }) {
  const taken =
    'seconds' in at ? await run(on, 'takeBlocksOf', [deviceId, at.seconds]) : await run(on, 'takeBlocks', [deviceId, at.first, at.last])
  for (const [bytes] of taken.rows as unknown as [Buffer][]) {
    const fixes = unpackFixes(bytes)
    await run(on, 'restore', [deviceId, ...NAMES.map((_, column) => toArray(fixes.map((fix) => fix[column])))])
  }
}

/** Runs a change of rows between two seconds, and again after unpacking blocks there. Returns how many fixes changed. */
async function change(
  on: Queryable,
  name: 'judge' | 'mark' | 'setEvent',
  values: [deviceId: number, first: number, last: number, value: number | null],
) {
  const [deviceId, first, last] = values
  const [changed, isPacked] = (await run(on, name, values)).rows[0] as unknown as [number, boolean]
  if (!isPacked) return changed
  await unpack(on, deviceId, { first, last })
  return changed + (await run(on, name, values)).rows[0]![0]!
}

/**
 * Positions in PostgreSQL, by statements that each connection prepares once. `isDistributed`: whether each statement has to be about one
 * tracker, because the trackers are on several servers.
 */
export function postgresPositions({ long: { pool }, clientOf }: Connections, { isDistributed = false } = {}): PositionStore {
  /** The follow-up of `changing`, for statements that decide themselves whether they need it. */
  const outdate = async (on: Queryable, deviceId: number, first: number, last: number) => {
    await run(on, 'countChange', [deviceId])
    const [from, to] = [first - REACH_SECONDS, last + REACH_SECONDS]
    await run(on, 'outdate', [deviceId, from - LONGEST_DAY_SECONDS, to, from])
  }
  const addNew: PositionStore['addNew'] = async (tx, deviceId, rows) => {
    if (rows.length === 0) return []
    const columns = NAMES.map((name) => rows.map((row) => row[name] ?? null))
    const [client, values] = [clientOf(tx), [deviceId, ...spanOf(rows), ...columns]]
    const { rows: added } = await run(client, 'insert', values)
    if (added.length > 0 && added.at(-1)![0] !== null) return added.map(([time]) => Number(time))
    if (added.length === 0) return []
    await unpack(client, deviceId, { seconds: rows.map(({ time }) => time) })
    return (await run(client, 'insertUnpacked', values)).rows.map(([time]) => Number(time))
  }
  return {
    addNew,
    add: async (tx, deviceId, rows) => (await addNew(tx, deviceId, rows)).length,
    async addAll(tx, batches) {
      if (isDistributed) return Promise.all(batches.map(async ({ deviceId, rows }) => (await addNew(tx, deviceId, rows)).length))
      const all = batches.flatMap(({ rows }) => rows)
      if (all.length === 0) return batches.map(() => 0)
      const ids = batches.flatMap(({ deviceId, rows }) => rows.map(() => deviceId))
      const columns = NAMES.map((name) => toArray(all.map((row) => row[name])))
      const [client, values] = [clientOf(tx), [toArray(ids), all.length, ...columns]]
      let { rows } = await run(client, 'insertAll', values)
      if (rows[0]![1]) {
        for (const { deviceId, rows } of batches) await unpack(client, deviceId, { seconds: rows.map(({ time }) => time) })
        rows = (await run(client, 'insertAllUnpacked', values)).rows
      }
      return countAdded(batches, rows[0]![0] as unknown as [deviceId: number, time: number][] | null)
    },
    async remove(tx, deviceId) {
      const client = clientOf(tx)
      await run(client, 'erase', [deviceId])
      await run(client, 'removeSummaries', [deviceId])
      await run(client, 'forgetUsual', [deviceId])
      await run(client, 'forgetChanges', [deviceId])
    },
    async removeAt(tx, deviceId, times) {
      if (times.length === 0) return
      const client = clientOf(tx)
      const values = [deviceId, ...spanOf(times.map((time) => ({ time }))), times]
      const [, isPacked] = (await run(client, 'eraseAt', values)).rows[0]!
      if (isPacked) {
        await unpack(client, deviceId, { seconds: times })
        await run(client, 'eraseAt', values)
      }
      await run(client, 'forgetUsual', [deviceId])
    },
    async removeUntil(tx, deviceId, to, limit) {
      const client = clientOf(tx)
      let removed = (await run(client, 'eraseBlocksUntil', [deviceId, to, limit])).rows[0]![0]!
      if (removed < limit) {
        await unpack(client, deviceId, { seconds: [to] })
        removed += (await run(client, 'eraseUntil', [deviceId, to, limit - removed])).changed
      }
      if (removed === 0) return 0
      await run(client, 'removeOldSummaries', [deviceId, to])
      await run(client, 'forgetUsual', [deviceId])
      await outdate(client, deviceId, 0, to)
      return removed
    },
    ...readPositionsOn(pool),
    believed: readBelievedOn(pool),
    judge: (tx, deviceId, from, to, mark) => change(clientOf(tx), 'judge', [deviceId, from, to, mark]),
    async setEvent(tx, deviceId, time, event) {
      await change(clientOf(tx), 'setEvent', [deviceId, time, time, event])
    },
    mark: async (tx, deviceId, time, mark) => (await change(clientOf(tx), 'mark', [deviceId, time, time, mark])) > 0,
    rangeInTx: (tx, deviceId, from, to, limit) => readPositionsOn(clientOf(tx)).range(deviceId, from, to, limit, 0),
    latestInTx: (tx, deviceId, to) => readBelievedOn(clientOf(tx)).latest(deviceId, 0, to),
    neighboursInTx: (tx, deviceId, seconds) => readPositionsOn(clientOf(tx)).neighbours(deviceId, seconds),
    changes: (tx, deviceId) => readVersion(clientOf(tx), deviceId),
  }
}

/** A parameter for an array of numbers. The driver's own conversion takes many times as long. */
const toArray = (values: readonly (number | null | undefined)[]) => `{${values.map((value) => value ?? 'NULL').join()}}`

/** How many fixes of each batch were new. `added`: those that were, null if all of them were; the first fix of a second is stored. */
function countAdded(batches: Parameters<PositionStore['addAll']>[1], added: readonly (readonly [number, number])[] | null) {
  if (added === null) return batches.map(({ rows }) => rows.length)
  const left = new Set(added.map(([deviceId, time]) => `${deviceId} ${time}`))
  return batches.map(({ deviceId, rows }) => rows.filter(({ time }) => left.delete(`${deviceId} ${time}`)).length)
}
