import { queryOptions } from '@tanstack/react-query'
import type { Device } from '#contracts/devices.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { client } from '#web/lib/api/client.ts'

/** Every tracker of the account, in the order of the server (E-3, R-4.21). */
export const devicesQuery = () =>
  queryOptions({
    queryKey: ['devices'],
    queryFn: ({ signal }) => client.devices.list({ query: { type: 'tracker' } }, { signal }),
  })

/** One tracker of the same list, so that a live change shows everywhere; undefined is nobody's or somebody else's. */
export const deviceQuery = (id: number) =>
  queryOptions({ ...devicesQuery(), select: (devices: Device[]) => devices.find((device) => device.id === id) })

/** All positions from one instant to another, oldest first; no end is up to now, and grows with the live stream. */
export const traceQuery = (id: number, from: string, to?: string) =>
  queryOptions({
    queryKey: ['trace', id, from, to ?? null],
    queryFn: ({ signal }) => readPages(id, { not_before: from, not_after: to }, signal),
    staleTime: 60_000,
  })

/** Role and whether the e-mail is confirmed (C-33). */
export const accountQuery = () =>
  queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => client.sessions.options({}, { signal }), staleTime: 300_000 })

/** Who is signed in (E-15). */
export const userNameQuery = () =>
  queryOptions({ queryKey: ['userName'], queryFn: ({ signal }) => client.sessions.who({}, { signal }), staleTime: 300_000 })

async function readPages(id: number, query: { not_before: string; not_after?: string | undefined }, signal: AbortSignal) {
  const points: HistoryPoint[] = []
  for (let page = 1; ; page++) {
    const { results, next } = await client.positions.history({ params: { id }, query: { ...query, page } }, { signal })
    points.push(...results)
    if (!next || results.length === 0) return points
  }
}
