import {
  LONGEST_DAY_SECONDS,
  markNumber,
  type Neighbours,
  type PositionColumns,
  type PositionRow,
  type PositionStore,
  REACH_SECONDS,
  spanOf,
} from '#db/positions.ts'
import type { Connection, ReadCommitted } from './driver.ts'

const NAMES = ['time', 'lat', 'lng', 'precision', 'event', 'battery', 'speed', 'course', 'altitude', 'mark'] as const
type Tuple = [time: number, lat: number, lng: number, precision: number, ...rest: (number | null)[]]

const COLUMNS = NAMES.join(', ')
const PERIOD = 'from positions where device_id = ? and time >= ? and time <= ?'
const KEPT = markNumber('kept')
const BELIEVED = `${PERIOD} and (mark is null or mark = ${KEPT})`
/** Marks that no later fix changes. */
const FINAL = [markNumber('zero'), markNumber('vague'), KEPT].join(', ')

/** Positions in SQLite, by prepared statements: the hottest path of the server. */
export function sqlitePositions(raw: Connection, rawRead: Connection, readCommitted: ReadCommitted): PositionStore {
  const statements = onFirstUse(() => ({
    insert: raw.prepare(`insert or ignore into positions (device_id, ${COLUMNS}) values (?${', ?'.repeat(NAMES.length)})`),
    erase: raw.prepare('delete from positions where device_id = ?'),
    eraseAt: raw.prepare('delete from positions where device_id = ? and time = ?'),
    eraseUntil: raw.prepare(
      'delete from positions where device_id = ? and time in (select time from positions where device_id = ? and time <= ? order by time limit ?)',
    ),
    range: rawRead.prepare(`select ${COLUMNS} ${PERIOD} order by time limit ? offset ?`).raw(),
    // Passing single values takes longer than reading a row; a JSON array per column is passed at once.
    columns: rawRead
      .prepare(
        `select ${NAMES.map((name) => `json_group_array(${name})`).join(', ')} from (select ${COLUMNS} ${PERIOD} order by time limit ?)`,
      )
      .raw(),
    latest: rawRead.prepare(`select ${COLUMNS} ${PERIOD} order by time desc limit 1`).raw(),
    count: rawRead.prepare(`select count(*) ${PERIOD}`).pluck(),
    believed: {
      range: rawRead.prepare(`select ${COLUMNS} ${BELIEVED} order by time limit ? offset ?`).raw(),
      first: rawRead.prepare(`select ${COLUMNS} ${BELIEVED} order by time limit 1`).raw(),
      latest: rawRead.prepare(`select ${COLUMNS} ${BELIEVED} order by time desc limit 1`).raw(),
      count: rawRead.prepare(`select count(*) ${BELIEVED}`).pluck(),
    },
    judge: raw.prepare(
      `update positions set mark = ? where device_id = ? and time >= ? and time <= ? and (mark is null or mark not in (${FINAL})) and mark is not ?`,
    ),
    mark: raw.prepare('update positions set mark = ? where device_id = ? and time = ? and mark is not ?'),
    setEvent: raw.prepare('update positions set event = ? where device_id = ? and time = ? and event is not ?'),
    rangeInTx: raw.prepare(`select ${COLUMNS} ${PERIOD} order by time limit ?`).raw(),
    firstInTx: raw.prepare(`select ${COLUMNS} ${BELIEVED} order by time limit 1`).raw(),
    latestInTx: raw.prepare(`select ${COLUMNS} ${BELIEVED} order by time desc limit 1`).raw(),
    outdate: raw.prepare(
      'update day_summaries set is_stale = 1 where device_id = ? and start > ? and start <= ? and end > ? and is_stale = 0',
    ),
    removeSummaries: raw.prepare('delete from day_summaries where device_id = ?'),
    forgetUsual: raw.prepare(
      'update usual_areas set cells = null, learnt = null, learnt_at = null, due_at = case when is_on then 0 end, version = version + 1 where device_id = ?',
    ),
    removeOldSummaries: raw.prepare('delete from day_summaries where device_id = ? and end <= ?'),
    oldest: rawRead.prepare('select min(time) from positions where device_id = ?').pluck(),
  }))
  const assertTransaction = () => {
    if (!raw.inTransaction) throw new Error('Positions are written inside db.write only.')
  }
  const changes = new Map<number, number>()
  /** Every change of fixes from second `first` to `last` goes through here, so that no outdated summary of a day remains. */
  const outdate = (deviceId: number, first: number, last: number) => {
    changes.set(deviceId, (changes.get(deviceId) ?? 0) + 1)
    const [from, to] = [first - REACH_SECONDS, last + REACH_SECONDS]
    statements().outdate.run(deviceId, from - LONGEST_DAY_SECONDS, to, from)
  }
  const addNew: PositionStore['addNew'] = async (_tx, deviceId, rows) => {
    assertTransaction()
    const { insert } = statements()
    const added: number[] = []
    for (const { time, lat, lng, precision, event, battery, speed = null, course = null, altitude = null, mark = null } of rows)
      if (insert.run(deviceId, time, lat, lng, precision, event, battery, speed, course, altitude, mark).changes > 0) added.push(time)
    if (added.length > 0) outdate(deviceId, ...spanOf(rows))
    return added
  }
  return {
    addNew,
    add: async (tx, deviceId, rows) => (await addNew(tx, deviceId, rows)).length,
    async addAll(tx, batches) {
      const added: number[] = []
      for (const { deviceId, rows } of batches) added.push((await addNew(tx, deviceId, rows)).length)
      return added
    },
    async remove(_tx, deviceId) {
      assertTransaction()
      statements().erase.run(deviceId)
      statements().removeSummaries.run(deviceId)
      statements().forgetUsual.run(deviceId)
      changes.set(deviceId, (changes.get(deviceId) ?? 0) + 1)
    },
    async removeAt(_tx, deviceId, times) {
      assertTransaction()
      const { eraseAt } = statements()
      for (const time of times) eraseAt.run(deviceId, time)
      if (times.length === 0) return
      statements().forgetUsual.run(deviceId)
      outdate(deviceId, ...spanOf(times.map((time) => ({ time }))))
    },
    async removeUntil(_tx, deviceId, to, limit) {
      assertTransaction()
      const removed = statements().eraseUntil.run(deviceId, deviceId, to, limit).changes
      if (removed === 0) return 0
      statements().removeOldSummaries.run(deviceId, to)
      statements().forgetUsual.run(deviceId)
      outdate(deviceId, 0, to)
      return removed
    },
    range: (deviceId, from, to, limit, offset) =>
      readCommitted(() => (statements().range.all(deviceId, from, to, limit, offset) as Tuple[]).map(toRow)),
    columns: (deviceId, from, to, limit) =>
      readCommitted(() => {
        const arrays = statements().columns.get(deviceId, from, to, limit) as string[]
        return Object.fromEntries(NAMES.map((name, index) => [name, JSON.parse(arrays[index]!)])) as PositionColumns
      }),
    count: (deviceId, from, to) => readCommitted(() => statements().count.get(deviceId, from, to) as number),
    latest: (deviceId, from, to) => readCommitted(() => toRowOrNull(statements().latest.get(deviceId, from, to) as Tuple | undefined)),
    believed: {
      range: (deviceId, from, to, limit, offset) =>
        readCommitted(() => (statements().believed.range.all(deviceId, from, to, limit, offset) as Tuple[]).map(toRow)),
      count: (deviceId, from, to) => readCommitted(() => statements().believed.count.get(deviceId, from, to) as number),
      latest: (deviceId, from, to) =>
        readCommitted(() => toRowOrNull(statements().believed.latest.get(deviceId, from, to) as Tuple | undefined)),
    },
    async judge(_tx, deviceId, from, to, mark) {
      assertTransaction()
      const changed = statements().judge.run(mark, deviceId, from, to, mark).changes
      if (changed > 0) outdate(deviceId, from, to)
      return changed
    },
    async setEvent(_tx, deviceId, time, event) {
      assertTransaction()
      if (statements().setEvent.run(event, deviceId, time, event).changes > 0) outdate(deviceId, time, time)
    },
    async mark(_tx, deviceId, time, mark) {
      assertTransaction()
      const isChanged = statements().mark.run(mark, deviceId, time, mark).changes > 0
      if (isChanged) outdate(deviceId, time, time)
      return isChanged
    },
    async rangeInTx(_tx, deviceId, from, to, limit) {
      return (statements().rangeInTx.all(deviceId, from, to, limit) as Tuple[]).map(toRow)
    },
    latestInTx: async (_tx, deviceId, to) => toRowOrNull(statements().latestInTx.get(deviceId, 0, to) as Tuple | undefined),
    async neighboursInTx(_tx, deviceId, seconds) {
      const { latestInTx: latest, firstInTx: first } = statements()
      return seconds.map(findNeighbours({ latest, first }, deviceId))
    },
    changes: async (_tx, deviceId) => changes.get(deviceId) ?? 0,
    oldest: (deviceId) => readCommitted(() => statements().oldest.get(deviceId) as number | null),
    neighbours: (deviceId, seconds) => readCommitted(() => seconds.map(findNeighbours(statements().believed, deviceId))),
  }
}

/** Statements need their tables, which a database has only after its migrations. */
function onFirstUse<T>(create: () => T) {
  let made: T | undefined
  return () => (made ??= create())
}

type Believed = Record<'latest' | 'first', { get(...values: number[]): unknown }>

const findNeighbours =
  ({ latest, first }: Believed, deviceId: number) =>
  (second: number): Neighbours => ({
    before: toRowOrNull(latest.get(deviceId, second - REACH_SECONDS, second - 1) as Tuple | undefined),
    after: toRowOrNull(first.get(deviceId, second, second + REACH_SECONDS) as Tuple | undefined),
  })

const toRowOrNull = (tuple: Tuple | undefined) => (tuple ? toRow(tuple) : null)

const toRow = ([time, lat, lng, precision, event, battery, speed, course, altitude, mark]: Tuple): PositionRow => ({
  time,
  lat,
  lng,
  precision,
  event: event ?? null,
  battery: battery ?? null,
  speed: speed ?? null,
  course: course ?? null,
  altitude: altitude ?? null,
  mark: mark ?? null,
})
