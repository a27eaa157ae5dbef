import { statSync } from 'node:fs'
import path from 'node:path'
import { writeDevices } from '#db/device-changes.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, atMost, compareFigures, type Row } from '#scripts/bench/row.ts'
import { createTrack } from '#scripts/bench/servers/bench-data.ts'
import { createTable, ensureTable, MEASURED, MONTH, MONTH_END, START } from './tables.ts'

/** The usual way to store positions: a row id, real numbers, and a unique index. */
const ROWID_SCHEMA = `
  create table by_rowid (id integer primary key, device_id int not null, time int not null, lat real not null, lng real not null,
    precision int not null, event int, battery int);
  create unique index by_rowid_index on by_rowid (device_id, time)`

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

const writing: Row = {
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
    return compareFigures(rate(outcome.ours.value), rate(outcome.floor!.value), '/s')
  },
}

const size: Row = {
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

const growing: Row = {
  id: 'S4/month',
  name: 'a month of a tracker read from a table of 10 million positions, or --millions',
  floor: 'the same from 1 million',
  goal: atMost(1.2),
  tier: 'growth',
  async measure({ folder, millions }: Lab) {
    const [large, small] = [millions, 1].map((size) => openSqlite(ensureTable(folder, size))) as [SqliteDb, SqliteDb]
    const read = (db: SqliteDb) => async () => {
      await db.positions.count(MEASURED, START, MONTH_END)
      const rows = await db.positions.range(MEASURED, START, MONTH_END, MONTH, 0)
      if (rows.length < 1000) throw new Error(`Only ${rows.length} positions were read`)
    }
    const outcome = await compareTimes({ ours: read(large), floor: read(small), rounds: 40 })
    await Promise.all([large.close(), small.close()])
    return outcome
  },
}

export const store: Row[] = [writing, size, growing]
