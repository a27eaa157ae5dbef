import type pg from 'pg'
import type { Db, Packing, Tx } from '#db/db.ts'
import { deviceLock } from '#db/scope.ts'
import { BLOCK_SIZE, isBelieved, packFixes, type Tuple } from './codec.ts'
import { COLUMNS, type Queryable } from './read-fixes.ts'

/** Positions packed in one transaction, during which messages of their account wait. */
const AT_ONCE = 20 * BLOCK_SIZE
/** Advisory lock of a transaction that packs; the number is arbitrary. */
const PACK_LOCK = 7_326_042
/** The files of a month that has less than this are not worth a lock. */
const MIN_BYTES = 1_000_000

/** The rows of a tracker's month, oldest first: at most $4. */
const TAKE = `with oldest as (select time from positions where device_id = $1 and time >= $2 and time < $3 order by time limit $4)
  delete from positions where device_id = $1 and time >= $2 and time < $3 and time <= (select max(time) from oldest) returning ${COLUMNS}`
const STARTS = 'select first_time from position_blocks where device_id = $1 and first_time > $2 and first_time < $3 order by first_time'
const SAVE = `insert into position_blocks (device_id, first_time, last_time, count, believed, bytes)
  select $1::bigint, * from unnest($2::bigint[], $3::bigint[], $4::integer[], $5::integer[], $6::bytea[])`

/** A month with a partition of its own: from second `from` to before second `to`. */
export type Month = { partition: string; from: number; to: number }
type Database = { query: pg.Pool['query']; write: Db['write']; clientOf: (tx: Tx) => Queryable }

/**
 * Packs the positions of months that ended by an instant. Each transaction packs some of a tracker's positions under the lock of its account, so
 * a run can be interrupted at any time, and the next one continues. Ends when another server packs. Returns how many positions were packed.
 */
export async function packMonths({ query, write, clientOf }: Database, { endedBy, goesOn, most = Number.POSITIVE_INFINITY }: Packing) {
  let packed = 0
  for (const month of await listMonths({ query }, endedBy))
    for (let deviceId: number | null = 0; ; ) {
      deviceId = await findNext({ query }, month, deviceId)
      if (deviceId === null) break
      for (let count: number | null = AT_ONCE; count === AT_ONCE; packed += count) {
        if (!goesOn() || packed >= most) return packed
        const id: number = deviceId
        count = await write(deviceLock(id), (tx) => packSome(clientOf(tx), id, month))
        if (count === null) return packed
      }
    }
  return packed
}

export async function listMonths(on: Queryable, endedBy: Date): Promise<Month[]> {
  const { rows } = await on.query<{ name: string }>(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'positions'::regclass order by 1",
  )
  return rows.flatMap(({ name }) => parseMonth(name) ?? []).filter(({ to }) => to * 1000 <= endedBy.getTime())
}

/** The month of a partition; undefined for other tables. */
export function parseMonth(partition: string): Month | undefined {
  const [, year, month] = /^positions_(\d{4})_(\d\d)$/.exec(partition) ?? []
  if (!year) return undefined
  const [from, to] = [Number(month) - 1, Number(month)].map((nth) => Date.UTC(Number(year), nth) / 1000) as [number, number]
  return { partition, from, to }
}

/** The next tracker with unpacked positions in a month. */
async function findNext(on: Queryable, { partition }: Month, after: number) {
  const { rows } = await on.query(`select device_id from ${partition} where device_id > $1 order by device_id limit 1`, [after])
  return (rows[0]?.device_id as number | undefined) ?? null
}

/** Returns how many positions were packed; null while another server packs. */
async function packSome(client: Queryable, deviceId: number, { from, to }: Month) {
  const mine = await client.query(`select pg_try_advisory_xact_lock(${PACK_LOCK}) as mine`)
  if (!mine.rows[0].mine) return null
  const taken = await client.query<Tuple>({ text: TAKE, values: [deviceId, from, to, AT_ONCE], rowMode: 'array' } as never)
  const fixes = taken.rows as unknown as Tuple[]
  if (fixes.length === 0) return 0
  fixes.sort((a, b) => a[0]! - b[0]!)
  const starts = await client.query(STARTS, [deviceId, fixes[0]![0], fixes.at(-1)![0]])
  const blocks = splitFixes(
    fixes,
    starts.rows.map((row) => row.first_time as number),
  )
  await client.query(SAVE, [
    deviceId,
    blocks.map((block) => block[0]![0]),
    blocks.map((block) => block.at(-1)![0]),
    blocks.map((block) => block.length),
    blocks.map((block) => block.filter(isBelieved).length),
    blocks.map(packFixes),
  ])
  return fixes.length
}

/** Splits fixes into blocks of about the same size. No block reaches over one that is already stored; these begin at `starts`. */
function splitFixes(fixes: readonly Tuple[], starts: readonly number[]) {
  const spans: Tuple[][] = [[]]
  let next = 0
  for (const fix of fixes) {
    if (next < starts.length && starts[next]! < fix[0]!) {
      while (next < starts.length && starts[next]! < fix[0]!) next++
      if (spans.at(-1)!.length > 0) spans.push([])
    }
    spans.at(-1)!.push(fix)
  }
  return spans.flatMap((span) => {
    const size = Math.ceil(span.length / Math.ceil(span.length / BLOCK_SIZE))
    return Array.from({ length: Math.ceil(span.length / size) }, (_, nth) => span.slice(nth * size, (nth + 1) * size))
  })
}

/**
 * Returns the disk space of months that have been packed. VACUUM empties the file of the rows once no transaction can see them any more; only
 * then is the file of the key truncated, because truncating would hide the rows from such a transaction.
 */
export async function releaseSpace(client: Queryable, { endedBy, goesOn }: Packing, isDistributed: boolean) {
  const [ofAll, ofRows] = isDistributed
    ? ['citus_total_relation_size', 'citus_relation_size']
    : ['pg_total_relation_size', 'pg_relation_size']
  for (const { partition } of await listMonths(client, endedBy)) {
    if (!goesOn()) return
    const { rows } = await client.query(`select ${ofAll}('${partition}') as bytes`)
    if (rows[0].bytes < MIN_BYTES || !(await isEmpty(client, partition))) continue
    await client.query(`vacuum ${partition}`)
    const heap = await client.query(`select ${ofRows}('${partition}') as bytes`)
    if (heap.rows[0].bytes > 0) continue
    await client.query('begin')
    try {
      await client.query(`lock table ${partition} in access exclusive mode`)
      if (await isEmpty(client, partition)) await client.query(`truncate ${partition}`)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
}

const NEXT_BLOCKS = `select min(first_time) as first, max(last_time) as last, sum(count) as count from (
  select first_time, last_time, count from position_blocks where device_id = $1 order by first_time limit ${AT_ONCE / BLOCK_SIZE}) as block`

type Unpacking = Database & { unpack: (tx: Tx, deviceId: number, first: number, last: number) => Promise<void> }

/**
 * Makes rows of all blocks. Each transaction unpacks some blocks of a tracker under the lock of its account, so a run can be interrupted at any
 * time, and the next one continues. `client` holds the lock that keeps servers from packing.
 */
export async function unpackMonths(
  { query, write, clientOf, unpack }: Unpacking,
  client: Queryable,
  onProgress: (unpacked: number, total: number) => unknown,
) {
  const mine = await client.query(`select pg_try_advisory_lock(${PACK_LOCK}) as mine`)
  if (!mine.rows[0].mine)
    throw new Error('A server packs positions. Set POSITIONS_PACK_AFTER_DAYS=off on all servers and restart them first.')
  const total = (await query('select coalesce(sum(count), 0) as total from position_blocks')).rows[0].total as number
  let unpacked = 0
  for (;;) {
    const { rows } = await query('select device_id from position_blocks order by device_id limit 1')
    const deviceId = rows[0]?.device_id as number | undefined
    if (deviceId === undefined) break
    unpacked += await write(deviceLock(deviceId), async (tx) => {
      const { first, last, count } = (await clientOf(tx).query(NEXT_BLOCKS, [deviceId])).rows[0]
      if (count === null) return 0
      await unpack(tx, deviceId, first, last)
      return count as number
    })
    await onProgress(unpacked, total)
  }
  await client.query('vacuum position_blocks')
}

const isEmpty = async (on: Queryable, partition: string) => (await on.query(`select 1 from ${partition} limit 1`)).rows.length === 0
