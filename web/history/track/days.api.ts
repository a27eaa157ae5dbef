import { queryOptions } from '@tanstack/react-query'
import { type DayTotals, days } from '#contracts/days.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import type { Day, Period } from './period.ts'

const daysApi = createClient(days, clientPorts)

/** The totals of the days of a year, oldest first, in the time zone of this browser. */
export const daysQuery = (id: number, year: number, today: Day) =>
  queryOptions({
    queryKey: ['history', 'months', id, year, today],
    queryFn: ({ signal }) => readDayTotals(id, { from: `${year}-01-01`, to: `${year}-12-31` }, signal),
    staleTime: year === yearOf(today) ? 60_000 : 600_000,
  })

/** Totals that the server has to compute first take several calls. */
export async function readDayTotals(id: number, { from: first, to }: Period, signal: AbortSignal) {
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

/** The favourite ways of a year. Days that are not computed yet come with further calls. */
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
