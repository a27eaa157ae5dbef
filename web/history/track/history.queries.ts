import { queryOptions } from '@tanstack/react-query'
import { hasFeature, orMissing } from '#web/lib/api/features.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { traceProgressQuery, traceQuery } from '#web/trackers/trackers.queries.ts'
import { readDayTotals } from './days.api.ts'
import { addDays, type Day, endsOf, midnight, type Period, periodBounds, toDay } from './period.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** All positions of a period. One that includes today has no end, so that live positions are appended to it. */
export const historyQuery = (id: number, period: Period, today: Day) => traceQuery(id, ...endsOf(period, today))

/** How far its reading has come. */
export const historyProgressQuery = (id: number, period: Period, today: Day) => traceProgressQuery(id, ...endsOf(period, today))

/** The calendar of a month also shows the last days of the month before it and the first of the one after it. */
const OTHER_DAYS = 6

/** The days with positions that the calendar of a month shows, as a set of `2026-03-02`; `month` is its first day. */
export const markedDaysQuery = (id: number, month: Day, today: Day) =>
  queryOptions({
    queryKey: ['history', 'days', id, month, today],
    queryFn: ({ signal }) => {
      const first = midnight(month)
      const last = toDay(new Date(first.getFullYear(), first.getMonth() + 1, 0))
      const shown = { from: addDays(month, -OTHER_DAYS), to: addDays(last, OTHER_DAYS) }
      return hasFeature('days') ? readDaysWithTotals(id, shown, signal) : orMissing('history', () => readDays(id, shown, signal), new Set())
    },
    staleTime: month.slice(0, 7) === today.slice(0, 7) ? 60_000 : 600_000,
  })

const readDaysWithTotals = async (id: number, shown: Period, signal: AbortSignal) =>
  new Set((await readDayTotals(id, shown, signal)).map(({ day }) => day))

/** Skips ahead to save requests: once a day is known to have positions, the next page starts at the following day. */
async function readDays(id: number, shown: Period, signal: AbortSignal) {
  const { start, end } = periodBounds(shown)
  const days = new Set<Day>()
  for (let from = start; from < end; ) {
    const query = { not_before: iso(from), not_after: iso(end - 1) }
    const { results, next } = await positionsApi.history({ params: { id }, query }, { signal })
    for (const { datetime } of results) days.add(toDay(datetime))
    const last = results.at(-1)
    if (!next || !last) break
    const following = midnight(addDays(toDay(last.datetime), 1)).getTime()
    // Without progress, as from a backend that ignores the period, the loop would never end.
    if (!(following > from)) break
    from = following
  }
  return days
}
