import type pg from 'pg'
import {
  LONGEST_DAY_SECONDS,
  markNumber,
  type Neighbours,
  type PositionColumns,
  type PositionReads,
  type PositionRow,
  type PositionStore,
  REACH_SECONDS,
  spanOf,
} from '#db/positions.ts'
import type { Connections } from './connection.ts'

const NAMES = ['time', 'lat', 'lng', 'precision', 'event', 'battery', 'speed', 'course', 'altitude', 'mark'] as const
type Tuple = (number | null)[]

const COLUMNS = NAMES.join(', ')
const PERIOD = 'from positions where device_id = $1 and time >= $2 and time <= $3'
const KEPT = markNumber('kept')
const IS_BELIEVED = `(mark is null or mark = ${KEPT})`
const BELIEVED = `${PERIOD} and ${IS_BELIEVED}`
/** Marks that no later fix changes. */
const FINAL = [markNumber('zero'), markNumber('vague'), KEPT].join(', ')
const TYPES = ['bigint', 'integer', 'integer', 'integer', 'smallint', 'integer', 'integer', 'smallint', 'integer', 'smallint']

/**
 * Changes fixes of tracker $1, increments its version and marks the summaries of the days between seconds $2 and $3 as outdated: one round
 * trip for all of it. Returns how many fixes changed.
 */
const changing = (change: string, result = 'count(*)') => `with changed as (${change} returning time),
  counted as (insert into position_changes (device_id, version)
    select $1::bigint, pg_current_xact_id()::text::bigint where exists (select from changed)
    on conflict (device_id) do update set version = excluded.version),
  outdated as (update day_summaries set is_stale = true where device_id = $1 and start > $2::bigint - ${LONGEST_DAY_SECONDS + REACH_SECONDS}
    and start <= $3::bigint + ${REACH_SECONDS} and "end" > $2::bigint - ${REACH_SECONDS} and not is_stale and exists (select from changed))
  select ${result} from changed`

const STATEMENTS = {
  // One array per column is three times as fast as a list of rows, and the statement's text is the same for any number of rows.
  insert: changing(
    `insert into positions (device_id, ${COLUMNS}) select $1::bigint, * from unnest(${TYPES.map((type, index) => `$${index + 4}::${type}[]`).join(', ')}) on conflict do nothing`,
    'time',
  ),
  insertAll: `with changed as (
      insert into positions (device_id, ${COLUMNS}) select * from unnest($1::bigint[], ${TYPES.map((type, index) => `$${index + 3}::${type}[]`).join(', ')})
      on conflict do nothing returning device_id, time),
    span as (select device_id, min(time) as first, max(time) as last from changed group by device_id),
    counted as (insert into position_changes (device_id, version) select device_id, pg_current_xact_id()::text::bigint from span
      on conflict (device_id) do update set version = excluded.version),
    outdated as (update day_summaries day set is_stale = true from span where day.device_id = span.device_id
      and start > span.first - ${LONGEST_DAY_SECONDS + REACH_SECONDS} and start <= span.last + ${REACH_SECONDS}
      and "end" > span.first - ${REACH_SECONDS} and not is_stale)
    select case when count(*) < $2::bigint then coalesce(json_agg(json_build_array(device_id, time)), '[]'::json) end from changed`,
  erase: 'delete from positions where device_id = $1',
  eraseAt: changing('delete from positions where device_id = $1 and time = any($4::bigint[])'),
  eraseUntil:
    'delete from positions where device_id = $1 and time in (select time from positions where device_id = $1 and time <= $2 order by time limit $3)',
  range: `select ${COLUMNS} ${PERIOD} order by time limit $4 offset $5`,
  latest: `select ${COLUMNS} ${PERIOD} order by time desc limit 1`,
  count: `select count(*) ${PERIOD}`,
  believedRange: `select ${COLUMNS} ${BELIEVED} order by time limit $4 offset $5`,
  believedLatest: `select ${COLUMNS} ${BELIEVED} order by time desc limit 1`,
  believedCount: `select count(*) ${BELIEVED}`,
  neighbours: `select nth, fix.* from unnest($2::bigint[]) with ordinality as border(second, nth), lateral (
    (select ${COLUMNS} from positions where device_id = $1 and time < second and time >= second - ${REACH_SECONDS} and ${IS_BELIEVED} order by time desc limit 1)
    union all
    (select ${COLUMNS} from positions where device_id = $1 and time >= second and time <= second + ${REACH_SECONDS} and ${IS_BELIEVED} order by time limit 1)
  ) as fix`,
  judge: changing(
    `update positions set mark = $4::smallint where device_id = $1 and time >= $2 and time <= $3 and (mark is null or mark not in (${FINAL})) and mark is distinct from $4::smallint`,
  ),
  mark: changing('update positions set mark = $4::smallint where device_id = $1 and time = $2 and mark is distinct from $4::smallint'),
  setEvent: changing(
    'update positions set event = $4::smallint where device_id = $1 and time = $2 and event is distinct from $4::smallint',
  ),
  loadStates: 'select device_id, state from tracking_states where device_id = any($1::bigint[])',
  saveStates: `insert into tracking_states (device_id, state) select * from json_to_recordset($1::json) as given(id bigint, state text)
    on conflict (device_id) do update set state = excluded.state`,
  outdate: 'update day_summaries set is_stale = true where device_id = $1 and start > $2 and start <= $3 and "end" > $4 and not is_stale',
  removeSummaries: 'delete from day_summaries where device_id = $1',
  forgetUsual:
    'update usual_areas set cells = null, learnt = null, learnt_at = null, due_at = case when is_on then 0 end, version = version + 1 where device_id = $1',
  removeOldSummaries: 'delete from day_summaries where device_id = $1 and "end" <= $2',
  countChange:
    'insert into position_changes (device_id, version) values ($1, pg_current_xact_id()::text::bigint) on conflict (device_id) do update set version = excluded.version',
  forgetChanges: 'delete from position_changes where device_id = $1',
  readChanges: 'select version from position_changes where device_id = $1',
  oldest: 'select min(time) from positions where device_id = $1',
}
type Name = keyof typeof STATEMENTS

type Queryable = Pick<pg.ClientBase, 'query'>

async function run(on: Queryable, name: Name, values: unknown[]) {
  const result = await on.query<Tuple>({ name, text: STATEMENTS[name], values, rowMode: 'array' } as never)
  return { rows: result.rows as unknown as Tuple[], changed: result.rowCount ?? 0 }
}
const range = async (on: Queryable, name: Name, values: unknown[]) => (await run(on, name, values)).rows.map(toRow)
const first = async (on: Queryable, name: Name, values: unknown[]) => (await range(on, name, values))[0] ?? null
const count = async (on: Queryable, name: Name, values: unknown[]) => (await run(on, name, values)).rows[0]![0] as number

async function neighbours(on: Queryable, deviceId: number, seconds: readonly number[]): Promise<Neighbours[]> {
  const { rows } = await run(on, 'neighbours', [deviceId, seconds])
  const found = seconds.map((): Neighbours => ({ before: null, after: null }))
  for (const [nth, ...tuple] of rows) {
    const [at, row] = [Number(nth) - 1, toRow(tuple)]
    found[at]![row.time < seconds[at]! ? 'before' : 'after'] = row
  }
  return found
}

/** A number that changes with each transaction that adds, removes or marks fixes of a tracker. */
export const readVersion = async (on: Queryable, deviceId: number) => (await run(on, 'readChanges', [deviceId])).rows[0]?.[0] ?? 0

/** Reads of positions on any connection. */
export const readPositionsOn = (on: Queryable): PositionReads => ({
  range: (deviceId, from, to, limit, offset) => range(on, 'range', [deviceId, from, to, limit, offset]),
  columns: async (deviceId, from, to, limit) => toColumns((await run(on, 'range', [deviceId, from, to, limit, 0])).rows),
  count: (deviceId, from, to) => count(on, 'count', [deviceId, from, to]),
  latest: (deviceId, from, to) => first(on, 'latest', [deviceId, from, to]),
  neighbours: (deviceId, seconds) => neighbours(on, deviceId, seconds),
  oldest: async (deviceId) => (await run(on, 'oldest', [deviceId])).rows[0]![0] ?? null,
})

/** Positions in PostgreSQL, by statements that each connection prepares once. */
export function postgresPositions({ long: { pool }, clientOf }: Connections): PositionStore {
  /** The follow-up of `changing`, for statements that decide themselves whether they need it. */
  const outdate = async (on: Queryable, deviceId: number, first: number, last: number) => {
    await run(on, 'countChange', [deviceId])
    const [from, to] = [first - REACH_SECONDS, last + REACH_SECONDS]
    await run(on, 'outdate', [deviceId, from - LONGEST_DAY_SECONDS, to, from])
  }
  const addNew: PositionStore['addNew'] = async (tx, deviceId, rows) => {
    if (rows.length === 0) return []
    const columns = NAMES.map((name) => rows.map((row) => row[name] ?? null))
    const { rows: added } = await run(clientOf(tx), 'insert', [deviceId, ...spanOf(rows), ...columns])
    return added.map(([time]) => Number(time))
  }
  return {
    addNew,
    add: async (tx, deviceId, rows) => (await addNew(tx, deviceId, rows)).length,
    async addAll(tx, batches) {
      const all = batches.flatMap(({ rows }) => rows)
      if (all.length === 0) return batches.map(() => 0)
      const ids = batches.flatMap(({ deviceId, rows }) => rows.map(() => deviceId))
      const columns = NAMES.map((name) => toArray(all.map((row) => row[name])))
      const { rows } = await run(clientOf(tx), 'insertAll', [toArray(ids), all.length, ...columns])
      const added = rows[0]![0] as unknown as [deviceId: number, time: number][] | null
      return countAdded(batches, added)
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
      await count(client, 'eraseAt', [deviceId, ...spanOf(times.map((time) => ({ time }))), times])
      await run(client, 'forgetUsual', [deviceId])
    },
    async removeUntil(tx, deviceId, to, limit) {
      const client = clientOf(tx)
      const { changed } = await run(client, 'eraseUntil', [deviceId, to, limit])
      if (changed === 0) return 0
      await run(client, 'removeOldSummaries', [deviceId, to])
      await run(client, 'forgetUsual', [deviceId])
      await outdate(client, deviceId, 0, to)
      return changed
    },
    ...readPositionsOn(pool),
    believed: {
      range: (deviceId, from, to, limit, offset) => range(pool, 'believedRange', [deviceId, from, to, limit, offset]),
      count: (deviceId, from, to) => count(pool, 'believedCount', [deviceId, from, to]),
      latest: (deviceId, from, to) => first(pool, 'believedLatest', [deviceId, from, to]),
    },
    judge: (tx, deviceId, from, to, mark) => count(clientOf(tx), 'judge', [deviceId, from, to, mark]),
    async setEvent(tx, deviceId, time, event) {
      await count(clientOf(tx), 'setEvent', [deviceId, time, time, event])
    },
    mark: async (tx, deviceId, time, mark) => (await count(clientOf(tx), 'mark', [deviceId, time, time, mark])) > 0,
    rangeInTx: (tx, deviceId, from, to, limit) => range(clientOf(tx), 'range', [deviceId, from, to, limit, 0]),
    latestInTx: (tx, deviceId, to) => first(clientOf(tx), 'believedLatest', [deviceId, 0, to]),
    neighboursInTx: (tx, deviceId, seconds) => neighbours(clientOf(tx), deviceId, seconds),
    async loadStates(tx, deviceIds) {
      const { rows } = await run(clientOf(tx), 'loadStates', [deviceIds])
      return new Map(rows as unknown as [number, string][])
    },
    async saveStates(tx, states) {
      if (states.size > 0) await run(clientOf(tx), 'saveStates', [JSON.stringify(Array.from(states, ([id, state]) => ({ id, state })))])
    },
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

const toRow = (tuple: Tuple) => Object.fromEntries(NAMES.map((name, index) => [name, tuple[index]])) as PositionRow

const toColumns = (rows: Tuple[]) =>
  Object.fromEntries(NAMES.map((name, index) => [name, rows.map((row) => row[index])])) as unknown as PositionColumns
