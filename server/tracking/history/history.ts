import { setImmediate } from 'node:timers/promises'
import { HISTORY_MAX_DAYS } from '#contracts/limits/history-limits.ts'
import type { HistoryPage } from '#contracts/positions.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { createTrackEncoder } from '#contracts/track/codec.ts'
import type { HistoryReader, PositionReads, PositionRow } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder, World } from '#server/ports/world.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import { presentCompactPoint, presentPoint } from './positions.present.ts'

/** Positions per page of a history. */
export const HISTORY_PAGE_SIZE = 500

export type Period = { from: Date; to: Date }

/** Returns the requested period; by default the 24 hours before its end or now. Throws `invalid_period`. */
export function resolvePeriod(
  { not_before, not_after }: { not_before?: string | undefined; not_after?: string | undefined },
  now: Date,
): Period {
  const to = not_after === undefined ? now : new Date(not_after)
  const from = not_before === undefined ? new Date(to.getTime() - DAY_MS) : new Date(not_before)
  const length = to.getTime() - from.getTime()
  if (length < 0 || length > HISTORY_MAX_DAYS * DAY_MS) throw new Failure('invalid_period')
  return { from, to }
}

/** First and last whole second (Unix time) of the period, as positions are stored. */
export const periodSeconds = ({ from, to }: Period) => ({ first: Math.ceil(from.getTime() / 1000), last: Math.floor(to.getTime() / 1000) })

/** The source of positions, and of the names of their places. */
export type History = { positions: PositionReads; geocode: Geocoder }

/** The last second of a tracker's history that may be read: that before its rest. */
export function findLastShown(device: DeviceRow, now: Date, graceDays: number | null) {
  const since = findRestStart(device, now, graceDays)
  return since ? Math.ceil(since.getTime() / 1000) - 1 : Number.POSITIVE_INFINITY
}

/** Reads of a tracker's history up to the second `last`. */
export function endHistory(positions: HistoryReader, last: number): HistoryReader {
  if (last === Number.POSITIVE_INFINITY) return positions
  const hide = (row: PositionRow | null) => (row && row.time <= last ? row : null)
  return {
    range: (id, from, to, limit, offset) => positions.range(id, from, Math.min(to, last), limit, offset),
    columns: (id, from, to, limit) => positions.columns(id, from, Math.min(to, last), limit),
    count: (id, from, to) => positions.count(id, from, Math.min(to, last)),
    latest: (id, from, to) => positions.latest(id, from, Math.min(to, last)),
    async oldest(id) {
      const second = await positions.oldest(id)
      return second !== null && second <= last ? second : null
    },
    async neighbours(id, seconds) {
      return (await positions.neighbours(id, seconds)).map(({ before, after }) => ({ before: hide(before), after: hide(after) }))
    },
    query: (id, work) => positions.query(id, work),
  }
}

/** Data that a request reads once it is authorized. */
export const openHistory = ({ db, geocode, clock, graceDays }: HistoryPorts, device: DeviceRow): History => ({
  positions: endHistory(db.history(), findLastShown(device, clock.now(), graceDays)),
  geocode,
})

type HistoryPorts = Pick<World, 'db' | 'geocode' | 'clock' | 'graceDays'>

/** Returns one page of a period's positions, oldest first; a page beyond the last is empty. */
export async function historyPage({ positions, geocode }: History, deviceId: number, period: Period, page: number): Promise<HistoryPage> {
  const { first, last } = periodSeconds(period)
  const count = await positions.count(deviceId, first, last)
  const pages = Math.ceil(count / HISTORY_PAGE_SIZE)
  const skipped = (page - 1) * HISTORY_PAGE_SIZE
  // Counting a month takes about as long as reading one of its pages.
  await setImmediate()
  const rows = page < 1 || page > pages ? [] : await positions.range(deviceId, first, last, HISTORY_PAGE_SIZE, skipped)
  await setImmediate()
  const link = (other: number) => (other < 1 || other > pages ? null : pathOf(deviceId, period, other))
  return {
    count,
    next: link(page + 1),
    previous: link(Math.min(page - 1, pages)),
    results: rows.map((row) => presentPoint(deviceId, row, geocode)),
  }
}

/** Links contain the period even if the request had none, so that it does not shift from page to page. */
function pathOf(deviceId: number, { from, to }: Period, page: number) {
  const query = new URLSearchParams({ not_before: formatInstant(from), not_after: formatInstant(to), page: String(page) })
  return `/devices/${deviceId}/tracker_data/?${query}`
}

/** Rows between two yields to the event loop: about a millisecond. */
const ROWS_AT_ONCE = 500

/** Streams the positions of a period in the compact form of `contracts/track/codec.ts`, block by block. */
export async function* encodeHistory({ positions, geocode }: History, deviceId: number, period: Period): AsyncGenerator<Uint8Array> {
  const { first, last } = periodSeconds(period)
  const { encode, end } = createTrackEncoder()
  for (let from = first; ; ) {
    const rows = await positions.range(deviceId, from, last, ROWS_AT_ONCE, 0)
    yield encode(rows.map((row) => presentCompactPoint(deviceId, row, geocode)))
    if (rows.length < ROWS_AT_ONCE) return yield end()
    from = (rows.at(-1)?.time ?? last) + 1
    await setImmediate()
  }
}
