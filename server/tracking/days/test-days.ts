import { BorderPair, type DayList } from '#contracts/days.ts'
import { HistoryPage, type HistoryPoint } from '#contracts/positions.ts'
import type { Borders } from '#contracts/rules/history/borders.ts'
import { millis } from '#contracts/rules/time.ts'
import type { startPortal } from '#server/test/start-portal.ts'
import { ALICE } from '#server/tracking/import/test-import.ts'

export type Portal = Awaited<ReturnType<typeof startPortal>>

/** The first and the last millisecond of a period, as the portal sends them. */
type Bounds = [start: number, end: number]

const periodOf = ([start, end]: Bounds) => `not_before=${new Date(start).toISOString()}&not_after=${new Date(end - 1).toISOString()}`

export async function listDays({ call }: Portal, id: number, query: string): Promise<DayList> {
  const { status, body } = await call(ALICE, 'GET', `/devices/${id}/days/?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** The positions that the history of a period shows. */
export async function readHistory({ call }: Portal, id: number, bounds: Bounds) {
  const points: HistoryPoint[] = []
  for (let page = 1, isMore = true; isMore; page++) {
    const { next, results } = HistoryPage.parse(
      (await call(ALICE, 'GET', `/devices/${id}/tracker_data/?${periodOf(bounds)}&page=${page}`)).body,
    )
    points.push(...results.filter(({ mark }) => mark === undefined || mark === 'kept'))
    isMore = next !== null
  }
  return points
}

/** Where the tracker was when a period began and ended, as the portal reads it. */
export async function readBorders({ call }: Portal, id: number, bounds: Bounds): Promise<Borders> {
  const { start, end } = BorderPair.parse((await call(ALICE, 'GET', `/devices/${id}/days/borders/?${periodOf(bounds)}`)).body)
  const toFix = (border: BorderPair['start']) => border && { ...border, datetime: millis(border.datetime) }
  return { start: toFix(start), end: toFix(end) }
}
