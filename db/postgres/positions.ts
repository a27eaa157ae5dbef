import { LONGEST_DAY_SECONDS, markNumber, type PositionColumns, type PositionRow, type PositionStore, spanOf } from '#db/positions.ts'
import type { Connections } from './connection.ts'

const NAMES = ['time', 'lat', 'lng', 'precision', 'event', 'battery', 'speed', 'course', 'altitude', 'mark'] as const
type Tuple = (number | null)[]

const COLUMNS = NAMES.join(', ')
const PERIOD = 'from positions where device_id = $1 and time >= $2 and time <= $3'
const KEPT = markNumber('kept')
const BELIEVED = `${PERIOD} and (mark is null or mark = ${KEPT})`
/** Marks that no later fix changes. */
const FINAL = [markNumber('zero'), markNumber('vague'), KEPT].join(', ')
const TYPES = ['bigint', 'integer', 'integer', 'integer', 'smallint', 'integer', 'integer', 'smallint', 'integer', 'smallint']

const STATEMENTS = {
  // One array per column is three times as fast as a list of rows, and its text is the same for any number of rows.
  insert: `insert into positions (device_id, ${COLUMNS}) select $1, * from unnest(${TYPES.map((type, index) => `$${index + 2}::${type}[]`).join(', ')}) on conflict do nothing`,
  erase: 'delete from positions where device_id = $1',
  eraseAt: 'delete from positions where device_id = $1 and time = any($2::bigint[])',
  eraseUntil:
    'delete from positions where device_id = $1 and time in (select time from positions where device_id = $1 and time <= $2 order by time limit $3)',
  range: `select ${COLUMNS} ${PERIOD} order by time limit $4 offset $5`,
  latest: `select ${COLUMNS} ${PERIOD} order by time desc limit 1`,
  count: `select count(*) ${PERIOD}`,
  believedRange: `select ${COLUMNS} ${BELIEVED} order by time limit $4 offset $5`,
  believedLatest: `select ${COLUMNS} ${BELIEVED} order by time desc limit 1`,
  believedCount: `select count(*) ${BELIEVED}`,
  judge: `update positions set mark = $4 where device_id = $1 and time >= $2 and time <= $3 and (mark is null or mark not in (${FINAL})) and mark is distinct from $4`,
  mark: 'update positions set mark = $3 where device_id = $1 and time = $2 and mark is distinct from $3',
  loadState: 'select state from tracking_states where device_id = $1',
  saveState: 'insert into tracking_states (device_id, state) values ($1, $2) on conflict (device_id) do update set state = excluded.state',
  outdate: 'update day_summaries set is_stale = true where device_id = $1 and start > $2 and start <= $3 and "end" > $4 and not is_stale',
  removeSummaries: 'delete from day_summaries where device_id = $1',
  removeOldSummaries: 'delete from day_summaries where device_id = $1 and "end" <= $2',
  countChange:
    'insert into position_changes (device_id, version) values ($1, pg_current_xact_id()::text::bigint) on conflict (device_id) do update set version = excluded.version',
  readChanges: 'select version from position_changes where device_id = $1',
  oldest: 'select min(time) from positions where device_id = $1',
}
type Name = keyof typeof STATEMENTS

/** Positions in PostgreSQL, by statements that each connection prepares once. */
export function postgresPositions({ pool, clientOf }: Connections): PositionStore {
  type Queryable = Pick<typeof pool, 'query'>
  const run = async (on: Queryable, name: Name, values: unknown[]) => {
    const result = await on.query<Tuple>({ name, text: STATEMENTS[name], values, rowMode: 'array' } as never)
    return { rows: result.rows as unknown as Tuple[], changed: result.rowCount ?? 0 }
  }
  const read = async (name: Name, values: unknown[]) => (await run(pool, name, values)).rows
  /** Every change of fixes from second `first` to `last` passes here, so that no summary of a day remains that is wrong. */
  const outdate = async (on: Queryable, deviceId: number, first: number, last: number) => {
    await run(on, 'countChange', [deviceId])
    await run(on, 'outdate', [deviceId, first - LONGEST_DAY_SECONDS, last, first])
  }
  const range = async (on: Queryable, name: Name, values: unknown[]) => (await run(on, name, values)).rows.map(toRow)
  const first = async (on: Queryable, name: Name, values: unknown[]) => (await range(on, name, values))[0] ?? null
  const count = async (name: Name, values: unknown[]) => (await read(name, values))[0]![0] as number
  return {
    async add(tx, deviceId, rows) {
      if (rows.length === 0) return 0
      const client = clientOf(tx)
      const columns = NAMES.map((name) => rows.map((row) => row[name] ?? null))
      const { changed } = await run(client, 'insert', [deviceId, ...columns])
      if (changed > 0) await outdate(client, deviceId, ...spanOf(rows))
      return changed
    },
    async remove(tx, deviceId) {
      const client = clientOf(tx)
      await run(client, 'erase', [deviceId])
      await run(client, 'removeSummaries', [deviceId])
      await run(client, 'countChange', [deviceId])
    },
    async removeAt(tx, deviceId, times) {
      if (times.length === 0) return
      const client = clientOf(tx)
      await run(client, 'eraseAt', [deviceId, times])
      await outdate(client, deviceId, ...spanOf(times.map((time) => ({ time }))))
    },
    async removeUntil(tx, deviceId, to, limit) {
      const client = clientOf(tx)
      const { changed } = await run(client, 'eraseUntil', [deviceId, to, limit])
      if (changed === 0) return 0
      await run(client, 'removeOldSummaries', [deviceId, to])
      await outdate(client, deviceId, 0, to)
      return changed
    },
    range: (deviceId, from, to, limit, offset) => range(pool, 'range', [deviceId, from, to, limit, offset]),
    columns: async (deviceId, from, to, limit) => toColumns(await read('range', [deviceId, from, to, limit, 0])),
    count: (deviceId, from, to) => count('count', [deviceId, from, to]),
    latest: (deviceId, from, to) => first(pool, 'latest', [deviceId, from, to]),
    believed: {
      range: (deviceId, from, to, limit, offset) => range(pool, 'believedRange', [deviceId, from, to, limit, offset]),
      count: (deviceId, from, to) => count('believedCount', [deviceId, from, to]),
      latest: (deviceId, from, to) => first(pool, 'believedLatest', [deviceId, from, to]),
    },
    async judge(tx, deviceId, from, to, mark) {
      const client = clientOf(tx)
      const { changed } = await run(client, 'judge', [deviceId, from, to, mark])
      if (changed > 0) await outdate(client, deviceId, from, to)
      return changed
    },
    async mark(tx, deviceId, time, mark) {
      const client = clientOf(tx)
      const { changed } = await run(client, 'mark', [deviceId, time, mark])
      if (changed > 0) await outdate(client, deviceId, time, time)
      return changed > 0
    },
    rangeInTx: (tx, deviceId, from, to, limit) => range(clientOf(tx), 'range', [deviceId, from, to, limit, 0]),
    latestInTx: (tx, deviceId, to) => first(clientOf(tx), 'believedLatest', [deviceId, 0, to]),
    loadState: async (tx, deviceId) => ((await run(clientOf(tx), 'loadState', [deviceId])).rows[0]?.[0] as string | undefined) ?? null,
    async saveState(tx, deviceId, state) {
      await run(clientOf(tx), 'saveState', [deviceId, state])
    },
    changes: async (tx, deviceId) => (await run(clientOf(tx), 'readChanges', [deviceId])).rows[0]?.[0] ?? 0,
    oldest: async (deviceId) => (await read('oldest', [deviceId]))[0]![0] ?? null,
  }
}

const toRow = (tuple: Tuple) => Object.fromEntries(NAMES.map((name, index) => [name, tuple[index]])) as PositionRow

const toColumns = (rows: Tuple[]) =>
  Object.fromEntries(NAMES.map((name, index) => [name, rows.map((row) => row[index])])) as unknown as PositionColumns
