import type { Db } from '#db/sqlite/open.ts'

/** A stored fix: seconds since 1970, degrees times 1e7, metres, index into `EVENT_TYPES`, battery in the unit of the tracker's type. */
export type PositionRow = { time: number; lat: number; lng: number; precision: number; event: number | null; battery: number | null }

type Tuple = [time: number, lat: number, lng: number, precision: number, event: number | null, battery: number | null]

/** Where positions are kept. Everything that reads or writes them goes through here, so that another form can come behind it. */
export type PositionStore = {
  /** Adds a fix unless one of that second is known. Call inside `db.write`. Returns whether it was new. */
  add(deviceId: number, row: PositionRow): boolean
  /** Fixes of `from <= time <= to` (seconds), oldest first. */
  range(deviceId: number, from: number, to: number, limit: number, offset: number): PositionRow[]
  count(deviceId: number, from: number, to: number): number
  latest(deviceId: number, from: number, to: number): PositionRow | null
  /** Second of the oldest fix, or null. */
  oldest(deviceId: number): number | null
  remove(deviceId: number): void
}

const COLUMNS = 'time, lat, lng, precision, event, battery'
const PERIOD = 'from positions where device_id = ? and time >= ? and time <= ?'

export function positionStore(db: Db): PositionStore {
  const insert = db.raw.prepare(`insert or ignore into positions (device_id, ${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)`)
  const erase = db.raw.prepare('delete from positions where device_id = ?')
  const range = db.rawRead.prepare(`select ${COLUMNS} ${PERIOD} order by time limit ? offset ?`).raw()
  const latest = db.rawRead.prepare(`select ${COLUMNS} ${PERIOD} order by time desc limit 1`).raw()
  const count = db.rawRead.prepare(`select count(*) ${PERIOD}`).pluck()
  const oldest = db.rawRead.prepare('select min(time) from positions where device_id = ?').pluck()
  return {
    add: (deviceId, row) => insert.run(deviceId, row.time, row.lat, row.lng, row.precision, row.event, row.battery).changes === 1,
    range: (deviceId, from, to, limit, offset) => (range.all(deviceId, from, to, limit, offset) as Tuple[]).map(rowOf),
    count: (deviceId, from, to) => count.get(deviceId, from, to) as number,
    latest(deviceId, from, to) {
      const tuple = latest.get(deviceId, from, to) as Tuple | undefined
      return tuple ? rowOf(tuple) : null
    },
    oldest: (deviceId) => oldest.get(deviceId) as number | null,
    remove: (deviceId) => void erase.run(deviceId),
  }
}

const rowOf = ([time, lat, lng, precision, event, battery]: Tuple): PositionRow => ({ time, lat, lng, precision, event, battery })

/** Degrees as they are stored. */
export const toFixed7 = (degrees: number) => Math.round(degrees * 1e7)
export const fromFixed7 = (scaled: number) => scaled / 1e7
