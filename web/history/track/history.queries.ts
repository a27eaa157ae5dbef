import { queryOptions } from '@tanstack/react-query'
import { type DayTotals, days } from '#contracts/days.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { hasFeature, orMissing } from '#web/lib/other-backends/features.ts'
import { addDays, type Day, endsOf, midnight, type Period, periodBounds, toDay } from '#web/lib/period.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { traceProgressQuery, traceQuery } from '#web/trackers/trackers.queries.tsx'

const daysApi = createClient(days, clientPorts)

/** The totals of the days of a year, oldest first, in the time zone of this browser. */
export const daysQuery = (id: number, year: number, today: Day) =>
  queryOptions({
    queryKey: ['history', 'months', id, year, today],
    queryFn: ({ signal }) => readDayTotals(id, { from: `${year}-01-01`, to: `${year}-12-31` }, signal),
    staleTime: year === yearOf(today) ? 60_000 : 600_000,
  })

/** Totals that the server has to compute first take several calls. */
async function readDayTotals(id: number, { from: first, to }: Period, signal: AbortSignal) {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  const found: DayTotals[] = []
  for (let from: Day | null = first; from; ) {
    const query: { from: Day; to: Day; tz: string } = { from, to, tz }
    const { days, next } = await daysApi.list({ params: { id }, query }, { signal })
    found.push(...days)
    // Without progress the loop would never end.
    from = next !== null && next > from ? next : null
  }
  return found
}

export const yearOf = (day: Day) => Number(day.slice(0, 4))

/** The favourite routes of a year. Days that are not computed yet need further calls. */
export const waysQuery = (id: number, year: number, today: Day) =>
  queryOptions({
    queryKey: ['history', 'ways', id, year, today],
    queryFn: ({ signal }) => readWays(id, { from: `${year}-01-01`, to: `${year}-12-31` }, signal),
    staleTime: year === yearOf(today) ? 60_000 : 600_000,
  })

async function readWays(id: number, { from, to }: Period, signal: AbortSignal) {
  const query = { from, to, tz: Intl.DateTimeFormat().resolvedOptions().timeZone }
  for (let next: Day = from; ; ) {
    const found = await daysApi.ways({ params: { id }, query }, { signal })
    // Without progress the loop would never end.
    if (found.next === null || found.next <= next) return found
    next = found.next
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** All positions of a period. One that includes today has no end, so that live positions are appended to it. */
export const historyQuery = (id: number, period: Period, today: Day) => traceQuery(id, ...endsOf(period, today))

/** Progress of reading a history. */
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
