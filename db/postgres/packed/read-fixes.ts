import type pg from 'pg'
import {
  markNumber,
  type Neighbours,
  type PositionColumns,
  type PositionReads,
  type PositionRow,
  type PositionStore,
  REACH_SECONDS,
} from '#db/positions.ts'
import { BLOCK_SIZE, isBelieved, NAMES, type Tuple, unpackFixes } from './codec.ts'

export type Queryable = Pick<pg.ClientBase, 'query'>

export const COLUMNS = NAMES.join(', ')
const KEPT = markNumber('kept')
const IS_BELIEVED = `(mark is null or mark = ${KEPT})`
const PERIOD = 'from positions where device_id = $1 and time >= $2 and time <= $3'
/** In a result of fixes and blocks, a block has its first second and its bytes, and a fix has no bytes. */
const FIX = `${COLUMNS}, null::bytea as bytes`
const BLOCK = `first_time, ${'null, '.repeat(NAMES.length - 1)}bytes`
const BYTES = NAMES.length
/** All values of a column as one text, as the driver takes many times as long to read single values; null for a column without values. */
const listed = (name: string) => `case when count(${name}) > 0 then array_to_string(array_agg(${name}), ',', 'null') end`
const LISTED = NAMES.map(listed).join(', ')

/** The blocks of a tracker do not overlap, so only the last one that begins before a period can reach into it. */
export const OVERLAPPING = `from position_blocks where device_id = $1 and first_time >= coalesce((
    select first_time from position_blocks where device_id = $1 and first_time <= $2 order by first_time desc limit 1), $2)
  and first_time <= $3 and last_time >= $2`

/**
 * Fixes are rows of `positions` or packed in `position_blocks`, and no row is between the first and the last second of a block. Each statement
 * reads both tables, because packing moves fixes from one to the other, and a second statement would see them twice or not at all.
 */
const readsOf = (condition: string, count: 'count' | 'believed') => ({
  range: `select ${LISTED}, null::bytea as bytes from (select ${COLUMNS} ${PERIOD} ${condition} order by time limit $4 offset $5) as fix
    union all
    select ${'null, '.repeat(NAMES.length)}bytes from (select first_time, bytes, sum(${count}) over (order by first_time) - ${count} as before ${OVERLAPPING}) as block
      where before < $4::bigint + ${BLOCK_SIZE}`,
  latest: `(select ${FIX} ${PERIOD} ${condition} order by time desc limit 1)
    union all
    (select ${BLOCK} from (select * from position_blocks where device_id = $1 and first_time <= $3 and ${count} > 0 order by first_time desc limit 2) as block
      where last_time >= $2)`,
  count: `select count(*), null::bytea ${PERIOD} ${condition}
    union all
    select sum(${count}), null from position_blocks where device_id = $1 and first_time >= $2 and first_time <= $3 and last_time <= $3
    union all
    select 0, bytes ${OVERLAPPING} and (first_time < $2 or last_time > $3)`,
  parts: `with block as materialized (
      select first_time, last_time, ${count} as count, case when first_time < $2 then bytes end as bytes ${OVERLAPPING})
    select * from (
      (select time, time as last_time, 1 as count, null::bytea ${PERIOD} ${condition} and time < (select max(first_time) from block)
        order by time limit $4::bigint + 1)
      union all
      select * from block
    ) as part order by time`,
})

const STATEMENTS = {
  all: readsOf('', 'count'),
  believed: readsOf(`and ${IS_BELIEVED}`, 'believed'),
  other: {
    neighbours: `select nth, fix.* from unnest($2::bigint[]) with ordinality as border(second, nth), lateral (
      (select ${FIX} from positions where device_id = $1 and time < second and time >= second - ${REACH_SECONDS} and ${IS_BELIEVED} order by time desc limit 1)
      union all
      (select ${FIX} from positions where device_id = $1 and time >= second and time <= second + ${REACH_SECONDS} and ${IS_BELIEVED} order by time limit 1)
      union all
      (select ${BLOCK} from (
        select * from position_blocks where device_id = $1 and first_time < second and believed > 0 order by first_time desc limit 2) as block
        where last_time >= second - ${REACH_SECONDS})
      union all
      (select ${BLOCK} from position_blocks
        where device_id = $1 and first_time >= second and first_time <= second + ${REACH_SECONDS} and believed > 0 order by first_time limit 1)
    ) as fix`,
    oldest: `select least((select min(time) from positions where device_id = $1), (select min(first_time) from position_blocks where device_id = $1))`,
    readChanges: 'select version from position_changes where device_id = $1',
  },
}

type Kind = keyof typeof STATEMENTS
type Values = (number | null | Buffer)[]
/** What every period is read with: fixes or only valid ones. */
type Reads = 'all' | 'believed'

/** Runs a statement, which each connection prepares once. */
async function run<K extends Kind>(on: Queryable, kind: K, name: keyof (typeof STATEMENTS)[K] & string, values: unknown[]) {
  const text = STATEMENTS[kind][name] as string
  const result = await on.query<Values>({ name: `${kind} ${name}`, text, values, rowMode: 'array' } as never)
  return result.rows as unknown as Values[]
}

const isBlock = (values: Values) => values[BYTES] !== null

/** The fixes of a block that are in a period. */
const unpackPeriod = (bytes: Buffer, from: number, to: number, reads: Reads) =>
  unpackFixes(bytes).filter((fix) => fix[0]! >= from && fix[0]! <= to && (reads === 'all' || isBelieved(fix)))

/** Replaces the blocks of a result by their fixes; the order stays. */
function unpackAll(found: Values[], from: number, to: number, reads: Reads): Tuple[] {
  if (!found.some(isBlock)) return found as Tuple[]
  return found.flatMap((values) => {
    const bytes = values[BYTES]
    return bytes instanceof Buffer ? unpackPeriod(bytes, from, to, reads) : [values as Tuple]
  })
}

type Period = { deviceId: number; from: number; to: number }
/** One array per column, in the order of `NAMES`. */
type Columns = (number | null)[][]

async function readRange(on: Queryable, reads: Reads, period: Period, limit: number, offset: number): Promise<Columns> {
  const { deviceId, from, to } = period
  const start = offset === 0 ? { from, skip: 0, offset: 0 } : await findStart(on, reads, period, offset)
  const found = await run(on, reads, 'range', [deviceId, start.from, to, limit + start.skip, start.offset])
  const listed = found.find((values) => !isBlock(values)) as unknown as (string | null)[]
  const blocks = found.filter(isBlock).map((values) => values[BYTES] as Buffer)
  // Rows that were to be skipped have been packed since.
  if (start.offset > 0 && blocks.length > 0) return readRange(on, reads, period, limit, offset)
  const columns = mergeBlocks(
    parseColumns(listed),
    blocks.flatMap((bytes) => unpackPeriod(bytes, start.from, to, reads)),
  )
  return columns[0]!.length > limit || start.skip > 0 ? columns.map((column) => column.slice(start.skip, start.skip + limit)) : columns
}

/** The columns of a statement's `LISTED`. */
function parseColumns(texts: readonly (string | null)[]): Columns {
  const [times, ...others] = texts.slice(0, BYTES).map((text) => text && (JSON.parse(`[${text}]`) as number[]))
  if (!times) return NAMES.map(() => [])
  return [times, ...others.map((column) => column || new Array<null>(times.length).fill(null))]
}

/** Adds fixes of blocks, in order of time. */
function mergeBlocks(columns: Columns, packed: readonly Tuple[]): Columns {
  if (packed.length === 0) return columns
  const rows = columns[0]!.map((_, index) => columns.map((column) => column[index]!) as Tuple)
  const fixes = rows.concat(packed).sort((one, other) => one[0]! - other[0]!)
  return NAMES.map((_, column) => fixes.map((fix) => fix[column]!))
}

/**
 * Finds where to begin in order to skip fixes of a period: at second `from`, which skips all but the next `skip` fixes if a block is there, or
 * `offset` rows if there is none.
 */
async function findStart(on: Queryable, reads: Reads, { deviceId, from, to }: Period, skipped: number) {
  let [left, next] = [skipped, from]
  for (const [first, last, size, bytes] of await run(on, reads, 'parts', [deviceId, from, to, skipped])) {
    const count = bytes instanceof Buffer ? unpackPeriod(bytes, from, Number(last), reads).length : Number(size)
    if (left < count) return { from: Math.max(Number(first), from), skip: left, offset: 0 }
    left -= count
    next = Number(last) + 1
  }
  return { from: Math.max(from, next), skip: 0, offset: left }
}

async function count(on: Queryable, reads: Reads, { deviceId, from, to }: Period) {
  let sum = 0
  for (const [size, bytes] of await run(on, reads, 'count', [deviceId, from, to]))
    sum += bytes instanceof Buffer ? unpackPeriod(bytes, from, to, reads).length : Number(size)
  return sum
}

async function latest(on: Queryable, reads: Reads, { deviceId, from, to }: Period) {
  let newest: Tuple | null = null
  for (const fix of unpackAll(await run(on, reads, 'latest', [deviceId, from, to]), from, to, reads))
    if (!newest || fix[0]! > newest[0]!) newest = fix
  return newest && toRow(newest)
}

async function neighbours(on: Queryable, deviceId: number, seconds: readonly number[]): Promise<Neighbours[]> {
  const found = seconds.map((): Neighbours => ({ before: null, after: null }))
  for (const [nth, ...values] of await run(on, 'other', 'neighbours', [deviceId, seconds])) {
    const [second, of] = [seconds[Number(nth) - 1]!, found[Number(nth) - 1]!]
    for (const fix of unpackAll([values], second - REACH_SECONDS, second + REACH_SECONDS, 'believed')) {
      const time = fix[0]!
      if (time >= second) of.after = of.after && of.after.time <= time ? of.after : toRow(fix)
      else of.before = of.before && of.before.time >= time ? of.before : toRow(fix)
    }
  }
  return found
}

/** A number that changes with each transaction that adds, removes or marks fixes of a tracker; packing changes none. */
export const readVersion = async (on: Queryable, deviceId: number) =>
  Number((await run(on, 'other', 'readChanges', [deviceId]))[0]?.[0] ?? 0)

/** Reads of positions on any connection. */
export const readPositionsOn = (on: Queryable): PositionReads => ({
  range: async (deviceId, from, to, limit, offset) => toRows(await readRange(on, 'all', { deviceId, from, to }, limit, offset)),
  columns: async (deviceId, from, to, limit) => toNamed(await readRange(on, 'all', { deviceId, from, to }, limit, 0)),
  count: (deviceId, from, to) => count(on, 'all', { deviceId, from, to }),
  latest: (deviceId, from, to) => latest(on, 'all', { deviceId, from, to }),
  neighbours: (deviceId, seconds) => neighbours(on, deviceId, seconds),
  oldest: async (deviceId) => (await run(on, 'other', 'oldest', [deviceId]))[0]![0] as number | null,
})

export const readBelievedOn = (on: Queryable): PositionStore['believed'] => ({
  range: async (deviceId, from, to, limit, offset) => toRows(await readRange(on, 'believed', { deviceId, from, to }, limit, offset)),
  count: (deviceId, from, to) => count(on, 'believed', { deviceId, from, to }),
  latest: (deviceId, from, to) => latest(on, 'believed', { deviceId, from, to }),
})

const toRow = ([time, lat, lng, precision, event, battery, speed, course, altitude, mark]: Tuple) =>
  ({ time, lat, lng, precision, event, battery, speed, course, altitude, mark }) as PositionRow

function toRows([times, lat, lng, precision, event, battery, speed, course, altitude, mark]: Columns): PositionRow[] {
  return times!.map((time, index) => ({
    time: time!,
    lat: lat![index]!,
    lng: lng![index]!,
    precision: precision![index]!,
    event: event![index]!,
    battery: battery![index]!,
    speed: speed![index]!,
    course: course![index]!,
    altitude: altitude![index]!,
    mark: mark![index]!,
  }))
}

const toNamed = (columns: Columns) => Object.fromEntries(NAMES.map((name, index) => [name, columns[index]])) as unknown as PositionColumns
