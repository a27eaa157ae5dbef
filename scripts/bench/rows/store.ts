import { statSync } from 'node:fs'
import path from 'node:path'
import { writeDevices } from '#db/device-changes.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, atMost, compareFigures, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { createTrack } from '#scripts/bench/servers/bench-data.ts'
import {
  createTable,
  DAY_START,
  dropCache,
  ensureTable,
  MEASURED,
  MONTH,
  MONTH_END,
  openRaw,
  openTable,
  ROWID_SCHEMA,
  START,
} from './tables.ts'

const TRACKERS = 500
const ROWS_A_TRANSACTION = 1000
const TRANSACTIONS = 30
const ROUND_ROWS = ROWS_A_TRANSACTION * TRANSACTIONS

/** Transactions of 1,000 positions from 500 trackers, as they arrive; a round covers 60 seconds of a track. */
async function addRound(db: SqliteDb, startSecond: number) {
  const next = createTrack(startSecond)
  const each = ROWS_A_TRANSACTION / TRACKERS
  for (let transaction = 0; transaction < TRANSACTIONS; transaction++)
    await writeDevices(db, 'everything', async (tx) => {
      for (let device = 1; device <= TRACKERS; device++) {
        const first = startSecond + transaction * each
        await db.positions.add(
          tx,
          device,
          Array.from({ length: each }, (_, index) => ({ time: first + index, ...next() })),
        )
      }
    })
}

const writing: MeasuredRow = {
  id: 'S1',
  name: 'positions written a second, 1,000 a transaction, 500 trackers, FULL; means',
  floor: 'one INSERT … SELECT inside SQLite',
  goal: atLeast(0.1),
  async measure({ folder }) {
    const [ours, floor] = ['s1-ours', 's1-floor'].map((name) => createTable(path.join(folder, `${name}.db`))) as [SqliteDb, SqliteDb]
    const insert = floor.raw.prepare(`
      with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${ROUND_ROWS - 1})
      insert into positions (device_id, time, lat, lng, precision, event, battery)
      select n % ${TRACKERS}, ? + n / ${TRACKERS}, -349000000 + n, -561500000 - n, 5, null, null from numbers`)
    let [oursSecond, floorSecond] = [0, 0]
    const addOurs = () => {
      oursSecond += 10_000
      return addRound(ours, oursSecond)
    }
    const addFloor = () => {
      floorSecond += 10_000
      insert.run(floorSecond)
    }
    const outcome = await compareTimes({
      ours: addOurs,
      floor: addFloor,
      rounds: 6,
      statistic: 'mean',
    })
    await Promise.all([ours.close(), floor.close()])
    const rate = (ms: number) => (ROUND_ROWS * 1000) / ms
    const halves = outcome.halves!.map(rate) as [number, number]
    return compareFigures(rate(outcome.ours.value), rate(outcome.floor!.value), '/s', halves)
  },
}

/** Gives every tracker day totals for a year around its first positions, all of them outdated. */
function addSummaries({ raw }: SqliteDb) {
  raw.pragma('foreign_keys = OFF')
  raw.exec(`
    with recursive days (day) as (select -364 union all select day + 1 from days where day < 1),
      trackers (id) as (select 1 union all select id + 1 from trackers where id < ${TRACKERS})
    insert into day_summaries (device_id, start, end, meters, moving_seconds, top_speed, trips, stops, longest_stop_seconds, positions, is_stale)
    select id, day * 86400, (day + 1) * 86400, 0, 0, 0, 0, 0, 0, 0, 1 from trackers, days`)
}

const summarized: MeasuredRow = {
  id: 'S6',
  name: 'positions written, trackers with the totals of a year of days; means',
  floor: 'the same without totals',
  goal: atMost(1.15),
  async measure({ folder }) {
    const [ours, floor] = ['s6-ours', 's6-floor'].map((name) => createTable(path.join(folder, `${name}.db`))) as [SqliteDb, SqliteDb]
    addSummaries(ours)
    const addRounds = (db: SqliteDb) => {
      let second = 0
      return () => {
        second += 100
        return addRound(db, second)
      }
    }
    const outcome = await compareTimes({ ours: addRounds(ours), floor: addRounds(floor), rounds: 12, statistic: 'mean' })
    await Promise.all([ours.close(), floor.close()])
    return outcome
  },
}

const size: MeasuredRow = {
  id: 'S2',
  name: 'bytes of a stored position, in order of arrival',
  floor: 'row id, real numbers and unique index',
  goal: atMost(0.6),
  async measure({ folder }) {
    const db = createTable(path.join(folder, 's2-ours.db'))
    const emptyBytes = await fileBytes(db, path.join(folder, 's2-ours.db'))
    for (let round = 1; round <= 5; round++) await addRound(db, round * 10_000)
    const ours = (await fileBytes(db, path.join(folder, 's2-ours.db'))) - emptyBytes
    const other = createTable(path.join(folder, 's2-rowid.db'))
    other.raw.exec(ROWID_SCHEMA)
    other.raw.prepare('attach ? as ours').run(path.join(folder, 's2-ours.db'))
    other.raw.exec(`insert into by_rowid (device_id, time, lat, lng, precision, event, battery)
      select device_id, time, lat / 1e7, lng / 1e7, precision, event, battery from ours.positions order by time, device_id`)
    other.raw.exec('detach ours')
    const floor = (await fileBytes(other, path.join(folder, 's2-rowid.db'))) - emptyBytes
    await Promise.all([db.close(), other.close()])
    return compareFigures(ours / (5 * ROUND_ROWS), floor / (5 * ROUND_ROWS), 'B')
  },
}

async function fileBytes({ raw }: SqliteDb, file: string) {
  raw.pragma('wal_checkpoint(TRUNCATE)')
  return statSync(file).size
}

const reading: MeasuredRow = {
  id: 'S3',
  name: '50,000 positions of a tracker read through the store',
  floor: 'the same rows as tuples, better-sqlite3 .raw().all()',
  goal: atMost(1.5),
  async measure({ folder }) {
    const db = openTable(ensureTable(folder, 'positions', 1))
    const tuples = db.rawRead
      .prepare(
        'select time, lat, lng, precision, event, battery from positions where device_id = ? and time >= ? and time <= ? order by time',
      )
      .raw()
    const outcome = await compareTimes({
      ours: () => db.positions.range(MEASURED, START, MONTH_END, MONTH, 0),
      floor: () => tuples.all(MEASURED, START, MONTH_END),
    })
    await db.close()
    return outcome
  },
}

const grows = (id: string, name: string, from: number, to: number): MeasuredRow => ({
  id: `S4/${id}`,
  name: `${name} of a tracker read from a table of 10 million positions, or --millions`,
  floor: 'the same from 1 million',
  goal: atMost(1.2),
  tier: 'growth',
  async measure({ folder, millions }: Lab) {
    const [large, small] = [millions, 1].map((size) => openTable(ensureTable(folder, 'positions', size))) as [SqliteDb, SqliteDb]
    const read = (db: SqliteDb) => async () => {
      await db.positions.count(MEASURED, from, to)
      const rows = await db.positions.range(MEASURED, from, to, MONTH, 0)
      if (rows.length < 1000) throw new Error(`Only ${rows.length} positions were read`)
    }
    const outcome = await compareTimes({ ours: read(large), floor: read(small), rounds: 40 })
    await Promise.all([large.close(), small.close()])
    return outcome
  },
})

const cold: MeasuredRow = {
  id: 'S5',
  name: '50,000 positions read with nothing cached, of 10 million or --millions',
  floor: 'row id, real numbers and unique index',
  goal: atMost(0.4),
  tier: 'growth',
  async measure({ folder, millions }) {
    const readCold = (table: 'positions' | 'by_rowid') => {
      const file = ensureTable(folder, table, millions)
      return async () => {
        if (!dropCache(file)) throw new Error('The system cannot forget cached files')
        const raw = openRaw(file)
        const rows = raw
          .prepare(
            `select time, lat, lng, precision, event, battery from ${table} where device_id = ? and time >= ? and time <= ? order by time`,
          )
          .raw()
          .all(MEASURED, START, MONTH_END)
        raw.close()
        if (rows.length !== MONTH) throw new Error(`${rows.length} positions were read`)
      }
    }
    return compareTimes({ ours: readCold('positions'), floor: readCold('by_rowid'), rounds: 5 })
  },
}

const LATER = 'npm run bench -- --postgres measures both engines'

export const store: Row[] = [
  writing,
  summarized,
  size,
  reading,
  grows('day', 'a day', DAY_START, MONTH_END),
  grows('month', 'a month', START, MONTH_END),
  cold,
  { id: 'P1', name: 'a durable position a transaction, beside PostgreSQL', omitted: LATER },
  { id: 'P2', name: 'a month read, beside PostgreSQL', omitted: LATER },
]
