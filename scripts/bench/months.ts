import { openSharedDb } from '#db/open/open-db.ts'
import type { PostgresDb } from '#db/postgres/open.ts'
import { startPostgres } from '#server/test/postgres/start-postgres.ts'

const STEP_S = 300
const DAY_S = 86_400
/** Positions of a tracker in a month of 31 days. */
const MONTH_ROWS = (31 * DAY_S) / STEP_S
const NOW = new Date('2026-01-15T00:00:00Z')
const [MAY, JULY, AUGUST, OCTOBER] = [5, 7, 8, 10].map((month) => Date.UTC(2025, month - 1) / 1000) as [number, number, number, number]
/** Positions that the retention of an account deletes in one transaction. */
const REMOVED_AT_ONCE = 20_000
const READS = 150

/** Rows of the table that `formatMonths` shows. */
type Figure = [what: string, rows: string, other: string]

/**
 * Measures months of `millions` million positions in PostgreSQL: rows compared with packed blocks, and removing a month row by row compared
 * with removing it as a whole.
 */
export async function measureMonths(millions: number) {
  const server = await startPostgres({ isDurable: true, flags: ['-c', 'max_wal_size=8GB', '-c', 'autovacuum=off'] })
  const db = (await openSharedDb(server.url, NOW, { max: 4 })) as PostgresDb
  const trackers = Math.round((millions * 1e6) / MONTH_ROWS)
  for (const month of [MAY, JULY, AUGUST]) await fillMonth(db, month, trackers)
  await db.connections.pool.query('vacuum analyze positions')
  const removed = await measureRemoval(db, trackers)
  const packed = await measurePacking(db, trackers)
  await db.close()
  await server.stop()
  return { positions: trackers * MONTH_ROWS, trackers, removed, packed }
}

const query = async (db: PostgresDb, text: string) => (await db.connections.pool.query(text)).rows[0]
const numberOf = async (db: PostgresDb, text: string) => Number(Object.values((await query(db, text)) ?? {})[0])

const fillMonth = (db: PostgresDb, month: number, trackers: number) =>
  query(
    db,
    `insert into positions (device_id, time, lat, lng, precision, event, battery, speed, course, altitude)
     select device, ${month} + nth * ${STEP_S} + device % 60, -349000000 + nth * 37 + (random() * 4000)::int, -562000000 + nth * 53 + (random() * 4000)::int,
       5 + (random() * 9)::int, case when nth % 50 = 0 then 1 end, 90 - nth / 200, (random() * 900)::int, (random() * 359)::int, 20 + (random() * 30)::int
     from generate_series(1, ${trackers}) device, generate_series(0, ${MONTH_ROWS - 1}) nth`,
  )

/** Seconds and bytes of write-ahead log of some work, which begins just after a checkpoint. */
async function measureWork(db: PostgresDb, work: () => Promise<unknown>) {
  await query(db, 'checkpoint')
  const position = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
  const [begin, before] = [performance.now(), await numberOf(db, position)]
  await work()
  return { seconds: (performance.now() - begin) / 1000, log: (await numberOf(db, position)) - before }
}

async function measureRemoval(db: PostgresDb, trackers: number) {
  const rows = await measureWork(db, async () => {
    for (let id = 1; id <= trackers; id++)
      while (
        (await db.write([`account:${id}`], (tx) => db.positions.removeUntil(tx, id, MAY + 31 * DAY_S - 1, REMOVED_AT_ONCE))) ===
        REMOVED_AT_ONCE
      );
    await query(db, 'vacuum positions_2025_05')
  })
  const month = await measureWork(db, () => db.removeMonths!({ endedBy: new Date(AUGUST * 1000), listNeeding: async () => [] }))
  return { rows, month }
}

async function measurePacking(db: PostgresDb, trackers: number) {
  const rows = trackers * MONTH_ROWS
  const table = 'positions_2025_08'
  const before = { bytes: (await numberOf(db, `select pg_total_relation_size('${table}')`)) / rows, ...(await measureReads(db, trackers)) }
  const packing = await measureWork(db, () => db.packPositions!({ endedBy: new Date(OCTOBER * 1000), goesOn: () => true }))
  await db.connections.pool.query('vacuum analyze position_blocks')
  const after = {
    bytes: (await numberOf(db, "select pg_total_relation_size('position_blocks')")) / rows,
    ...(await measureReads(db, trackers)),
  }
  return { before, after, perSecond: rows / packing.seconds, log: packing.log / rows }
}

/** Median milliseconds to read a day and a month of a tracker. */
async function measureReads(db: PostgresDb, trackers: number) {
  const read = async (days: number) => {
    const times = []
    for (let nth = 0; nth < READS; nth++) {
      const from = AUGUST + (nth % (32 - days)) * DAY_S
      const begin = performance.now()
      await db.positions.columns(1 + ((nth * 7) % trackers), from, from + days * DAY_S - 1, 100_000)
      times.push(performance.now() - begin)
    }
    return times.sort((a, b) => a - b)[READS / 2]!
  }
  return { day: await read(1), month: await read(31) }
}

const seconds = ({ seconds }: { seconds: number }) => `${seconds.toFixed(2)} s`
const log = ({ log }: { log: number }) => `${(log / 1e6).toFixed(1)} MB`

/** Two tables: removing months, and packed months. */
export function formatMonths({ positions, trackers, removed, packed }: Awaited<ReturnType<typeof measureMonths>>) {
  const { before, after } = packed
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const tables: [string, Figure[]][] = [
    [
      `Removing ${positions.toLocaleString('en')} positions of ${trackers} trackers`,
      [
        ['', 'row by row, with VACUUM', 'as a whole'],
        ['time', seconds(removed.rows), seconds(removed.month)],
        ['write-ahead log', log(removed.rows), log(removed.month)],
      ],
    ],
    [
      'A month of them',
      [
        ['', 'rows', 'packed'],
        ['bytes a position, with keys', before.bytes.toFixed(1), after.bytes.toFixed(1)],
        ['a day of a tracker read, median', ms(before.day), ms(after.day)],
        ['a month of a tracker read, median', ms(before.month), ms(after.month)],
        ['packing, positions a second', '', Math.round(packed.perSecond).toLocaleString('en')],
        ['log of packing, bytes a position', '', packed.log.toFixed(0)],
      ],
    ],
  ]
  return tables.map(([title, rows]) => [title, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')).join('\n\n')
}
