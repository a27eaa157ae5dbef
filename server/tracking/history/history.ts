import { setImmediate } from 'node:timers/promises'
import { HISTORY_PAGE_SIZE } from '#contracts/lib/constants.ts'
import type { HistoryPage } from '#contracts/positions.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { PositionReads } from '#db/positions.ts'
import type { Geocoder, World } from '#server/ports/world.ts'
import { type Period, periodSeconds } from './period.ts'
import { presentPoint } from './positions.present.ts'

/** Where positions are read, and what names their places. */
export type History = { positions: PositionReads; geocode: Geocoder }

/** What a request reads once it is authorized. */
export const openHistory = ({ db, geocode }: Pick<World, 'db' | 'geocode'>): History => ({ positions: db.history(), geocode })

/** Returns one page of a period's positions, oldest first; a page beyond the last is empty. */
export async function historyPage({ positions, geocode }: History, deviceId: number, period: Period, page: number): Promise<HistoryPage> {
  const { first, last } = periodSeconds(period)
  const count = await positions.count(deviceId, first, last)
  const pages = Math.ceil(count / HISTORY_PAGE_SIZE)
  const skipped = (page - 1) * HISTORY_PAGE_SIZE
  // Counting a month takes about as long as reading a page of it.
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

/** Links carry the period even if the request had none, so that it does not shift from page to page. */
function pathOf(deviceId: number, { from, to }: Period, page: number) {
  const query = new URLSearchParams({ not_before: formatInstant(from), not_after: formatInstant(to), page: String(page) })
  return `/devices/${deviceId}/tracker_data/?${query}`
}
