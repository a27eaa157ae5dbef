import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { migrate, openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { createTrack } from '#scripts/bench/servers/bench-data.ts'

/** The measured tracker has a month of 50,000 positions in every table; the other trackers fill it up. */
export const MEASURED = 500
export const MONTH = 50_000
export const START = 1_700_000_000
const INTERVAL = 52
export const MONTH_END = START + MONTH * INTERVAL
const OTHERS = 1000
const STEPS_AT_ONCE = 10

/** Opens an empty database with our schema and production's durability. */
export function createTable(file: string): SqliteDb {
  const db = openSqlite(file, { synchronous: 'FULL' })
  migrate(db)
  return db
}

/**
 * Returns a file with that many million positions, inserted in order of time, from a thousand trackers at once; built once a run. All
 * trackers have the same track, shifted.
 */
export function ensureTable(folder: string, millions: number): string {
  const file = path.join(folder, `positions-${millions}.db`)
  if (existsSync(file)) return file
  const building = `${file}.part`
  const db = createTable(building)
  db.raw.pragma('synchronous = OFF')
  db.raw.exec('create temp table track (step integer primary key, lat int, lng int, precision int, event int, battery int)')
  const addStep = db.raw.prepare('insert into track values (?, ?, ?, ?, ?, ?)')
  const next = createTrack()
  db.raw.transaction(() => {
    for (let step = 0; step < MONTH; step++) {
      const { lat, lng, precision, event, battery } = next()
      addStep.run(step, lat, lng, precision, event, battery)
    }
  })()
  const arrive = db.raw.prepare(`
    with recursive trackers (id) as (select 0 union all select id + 1 from trackers where id < ${OTHERS})
    insert into positions (device_id, time, lat, lng, precision, event, battery)
    select id, ${START} + step * ${INTERVAL}, lat + id * 10, lng + id * 10, precision, event, battery
    from track cross join trackers where step >= ? and step < ? and (id = ${MEASURED} or step * 1.0 / ${MONTH} >= ?)`)
  // The other trackers begin late enough for the table to have `millions` million rows.
  const begin = 1 - (millions * 1e6 - MONTH) / (OTHERS * MONTH)
  for (let step = 0; step < MONTH; step += STEPS_AT_ONCE) arrive.run(step, step + STEPS_AT_ONCE, begin)
  db.raw.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  renameSync(building, file)
  return file
}
