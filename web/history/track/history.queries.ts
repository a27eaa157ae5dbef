import { queryOptions } from '@tanstack/react-query'
import { orMissing } from '#web/lib/api/features.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { traceProgressQuery, traceQuery } from '#web/trackers/trackers.queries.ts'
import { addDays, type Day, midnight, type Period, periodBounds, toDay } from './period.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** All positions of a period. One that includes today has no end, so that live positions are appended to it. */
export const historyQuery = (id: number, period: Period, today: Day) => traceQuery(id, ...endsOf(period, today))

/** How far its reading has come. */
export const historyProgressQuery = (id: number, period: Period, today: Day) => traceProgressQuery(id, ...endsOf(period, today))

function endsOf(period: Period, today: Day): [from: string, to?: string] {
  const { start, end } = periodBounds(period)
  const isGrowing = period.from <= today && period.to >= today
  return isGrowing ? [iso(start)] : [iso(start), iso(end - 1)]
}

/** The days of a month with positions, as a set of `2026-03-02`; `month` is its first day. */
export const markedDaysQuery = (id: number, month: Day, today: Day) =>
  queryOptions({
    queryKey: ['history', 'days', id, month, today],
    queryFn: ({ signal }) => orMissing('history', () => readDays(id, month, signal), new Set()),
    staleTime: month.slice(0, 7) === today.slice(0, 7) ? 60_000 : 600_000,
  })

/** Skips ahead to save requests: once a day is known to have positions, the next page starts at the following day. */
async function readDays(id: number, month: Day, signal: AbortSignal) {
  const start = midnight(month)
  const end = new Date(start.getFullYear(), start.getMonth() + 1, 1).getTime() - 1
  const days = new Set<Day>()
  for (let from = start.getTime(); from < end; ) {
    const query = { not_before: iso(from), not_after: iso(end) }
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
