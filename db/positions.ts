import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { GAP_MS } from '#contracts/rules/history/trips.ts'
import type { DbReader, Tx } from '#db/db.ts'

/** Stored numbers of the marks. */
export const markNumber = (mark: (typeof POSITION_MARKS)[number]) => POSITION_MARKS.indexOf(mark)

/**
 * A stored fix: seconds since 1970, degrees times 1e7, metres, index into `EVENT_TYPES`, battery in the unit of the tracker's type; as the
 * device measured them, speed in tenths of km/h, course in degrees and altitude in metres; index into `POSITION_MARKS`.
 */
export type PositionRow = {
  time: number
  lat: number
  lng: number
  precision: number
  event: number | null
  battery: number | null
  speed: number | null
  course: number | null
  altitude: number | null
  mark: number | null
}

type Extra = 'speed' | 'course' | 'altitude' | 'mark'
/** A fix to store; omitted fields are stored as null. */
export type NewPosition = Omit<PositionRow, Extra> & Partial<Pick<PositionRow, Extra>>

/** Stored fixes as one array per column, all of the same length. */
export type PositionColumns = { [Column in keyof PositionRow]: PositionRow[Column][] }

/** The only access to stored fixes. Periods are `from <= time <= to`, in seconds. */
export type PositionStore = {
  /** Saves fixes, except at seconds that already have one. Returns how many were new. */
  add(tx: Tx, deviceId: number, rows: readonly NewPosition[]): Promise<number>
  /** Saves fixes of several trackers, in order. Returns how many of each were new. */
  addAll(tx: Tx, batches: readonly { deviceId: number; rows: readonly NewPosition[] }[]): Promise<number[]>
  /** Like `add`, but returns the seconds that were new. */
  addNew(tx: Tx, deviceId: number, rows: readonly NewPosition[]): Promise<number[]>
  /** Deletes all fixes of a tracker. */
  remove(tx: Tx, deviceId: number): Promise<void>
  /** Deletes the fixes of these seconds. */
  removeAt(tx: Tx, deviceId: number, times: readonly number[]): Promise<void>
  /** Deletes about `limit` fixes up to a second, the oldest first, and returns how many; fewer than `limit` if none are left. */
  removeUntil(tx: Tx, deviceId: number, to: number, limit: number): Promise<number>
  /** Oldest first. */
  range(deviceId: number, from: number, to: number, limit: number, offset: number): Promise<PositionRow[]>
  /** The first `limit` fixes of a period, oldest first: for long periods, at half the cost of `range`. */
  columns(deviceId: number, from: number, to: number, limit: number): Promise<PositionColumns>
  count(deviceId: number, from: number, to: number): Promise<number>
  latest(deviceId: number, from: number, to: number): Promise<PositionRow | null>
  /** The same for valid fixes: without a mark, or marked as kept by a user. */
  believed: Pick<PositionStore, 'range' | 'count' | 'latest'>
  /** Sets or clears (null) the marks of the fixes of a period; final marks and those of a user stay. Returns how many changed. */
  judge(tx: Tx, deviceId: number, from: number, to: number, mark: number | null): Promise<number>
  /** Sets the event of one fix, replacing any other. */
  setEvent(tx: Tx, deviceId: number, time: number, event: number): Promise<void>
  /** Sets the mark of one fix, replacing any other. Returns whether it changed. */
  mark(tx: Tx, deviceId: number, time: number, mark: number | null): Promise<boolean>
  /** The fixes of a period including uncommitted ones of this transaction, oldest first. */
  rangeInTx(tx: Tx, deviceId: number, from: number, to: number, limit: number): Promise<PositionRow[]>
  /** The newest valid fix up to a second, including uncommitted ones of this transaction. */
  latestInTx(tx: Tx, deviceId: number, to: number): Promise<PositionRow | null>
  /** Like `neighbours`, but includes uncommitted fixes of this transaction. */
  neighboursInTx(tx: Tx, deviceId: number, seconds: readonly number[]): Promise<Neighbours[]>
  /** A number that changes with each transaction that adds, removes or marks fixes of a tracker. */
  changes(tx: Tx, deviceId: number): Promise<number>
  /** Second of the oldest fix, or null. */
  oldest(deviceId: number): Promise<number | null>
  /** Returns, for each of some seconds, the valid fixes before and after it, at most `REACH_SECONDS` away. */
  neighbours(deviceId: number, seconds: readonly number[]): Promise<Neighbours[]>
}

/** The last fix before a second, and the first one from it on. */
export type Neighbours = { before: PositionRow | null; after: PositionRow | null }

export type PositionReads = Pick<PositionStore, 'range' | 'columns' | 'count' | 'latest' | 'oldest' | 'neighbours'>

/**
 * Reads of one request that a replica may answer. They see all changes of a tracker's positions that were committed before the reader was
 * created.
 */
export type HistoryReader = PositionReads & {
  /** Runs a query about the days of a tracker. */
  query<T>(deviceId: number, work: (db: DbReader) => Promise<T>): Promise<T>
}

/** Reads from the primary only. */
export const createHistoryReader = (positions: PositionReads, read: DbReader): HistoryReader => ({
  ...positions,
  query: (_deviceId, work) => work(read),
})

/** Degrees in their stored form. */
export const toFixed7 = (degrees: number) => Math.round(degrees * 1e7)
export const fromFixed7 = (scaled: number) => scaled / 1e7

/** A day is at most 25 hours long, or 47 where a time zone moved across the date line. */
export const LONGEST_DAY_SECONDS = 48 * 3600

/** How far outside a day positions still affect its totals: longer legs are gaps, which do not count. */
export const REACH_SECONDS = GAP_MS / 1000

/** The first and the last second of some fixes. */
export function spanOf(rows: readonly Pick<NewPosition, 'time'>[]): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { time } of rows) [first, last] = [Math.min(first, time), Math.max(last, time)]
  return [first, last]
}
