import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { connect } from '#db/sqlite/driver.ts'
import { migrate, openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { createTrack } from '#scripts/bench/servers/bench-data.ts'

/** The measured tracker has a month of 50,000 positions in every table; other trackers fill the rest. */
export const MEASURED = 500
export const MONTH = 50_000
export const START = 1_700_000_000
const INTERVAL = 52
export const MONTH_END = START + MONTH * INTERVAL
/** Positions per day. */
const DAY = Math.floor(86_400 / INTERVAL)
export const DAY_START = MONTH_END - DAY * INTERVAL
const OTHERS = 1000
const STEPS_AT_ONCE = 10

/** Opens an empty database with our schema and production's durability. */
export function createTable(file: string): SqliteDb {
  const db = openSqlite(file, { synchronous: 'FULL' })
  migrate(db)
  return db
}

/** The usual way to store positions: a row id, real numbers, and a unique index. */
export const ROWID_SCHEMA = `
  create table by_rowid (id integer primary key, device_id int not null, time int not null, lat real not null, lng real not null,
    precision int not null, event int, battery int);
  create unique index by_rowid_index on by_rowid (device_id, time)`

const insertInto = {
  positions: 'insert into positions (device_id, time, lat, lng, precision, event, battery)',
  by_rowid: 'insert into by_rowid (device_id, time, lat, lng, precision, event, battery)',
}

type Kind = keyof typeof insertInto

/**
 * Returns a file with that many million positions, inserted in order of time, from a thousand trackers at once; built once a run. All
 * trackers have the same track, shifted.
 */
export function ensureTable(folder: string, kind: Kind, millions: number): string {
  const file = path.join(folder, `${kind}-${millions}.db`)
  if (existsSync(file)) return file
  const building = `${file}.part`
  const db = createTable(building)
  if (kind === 'by_rowid') db.raw.exec(ROWID_SCHEMA)
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
  const scale = kind === 'by_rowid' ? '/ 1e7' : ''
  const arrive = db.raw.prepare(`
    with recursive trackers (id) as (select 0 union all select id + 1 from trackers where id < ${OTHERS})
    ${insertInto[kind]}
    select id, ${START} + step * ${INTERVAL}, (lat + id * 10) ${scale}, (lng + id * 10) ${scale}, precision, event, battery
    from track cross join trackers where step >= ? and step < ? and (id = ${MEASURED} or step * 1.0 / ${MONTH} >= ?)`)
  // The other trackers begin late enough for the table to have `millions` million rows.
  const begin = 1 - (millions * 1e6 - MONTH) / (OTHERS * MONTH)
  for (let step = 0; step < MONTH; step += STEPS_AT_ONCE) arrive.run(step, step + STEPS_AT_ONCE, begin)
  db.raw.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  renameSync(building, file)
  return file
}

/** Makes the system drop its cached pages of the file. Returns false where this is impossible. */
export const dropCache = (file: string) =>
  spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'if=/dev/null'], { stdio: 'ignore' }).status === 0

/** Opens a table for reading, through our store. */
export const openTable = (file: string) => openSqlite(file)

export const openRaw = (file: string) => connect(file, { readonly: true })
