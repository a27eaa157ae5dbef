import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Device } from '#contracts/devices.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { client } from '#web/lib/api/client.ts'
import { orMissing } from '#web/lib/api/features.ts'

export const updateCachedDevice = (queries: QueryClient, id: number, part: Partial<Device>) =>
  queries.setQueryData(devicesQuery().queryKey, (devices) => devices?.map((device) => (device.id === id ? { ...device, ...part } : device)))

export const trackerKeys = {
  devices: ['devices'],
  traces: ['trace'],
  trackerTraces: (id: number) => ['trace', id],
} as const

/** All trackers of the account, in the server's order. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: trackerKeys.devices,
    queryFn: ({ signal }) => client.devices.list({ query: { type: 'tracker' } }, { signal }),
  })

/** One tracker from the cached list, so that a live change shows everywhere; undefined for an unknown one or another account's. */
export const deviceQuery = (id: number) =>
  queryOptions({ ...devicesQuery(), select: (devices: Device[]) => devices.find((device) => device.id === id) })

/** All positions between two instants, oldest first; none without a history. Without an end it reaches up to now and is extended by the live stream. */
export const traceQuery = (id: number, from: string, to?: string) =>
  queryOptions({
    queryKey: [...trackerKeys.trackerTraces(id), from, to ?? null],
    queryFn: ({ signal }) => orMissing('history', () => readPages(id, { not_before: from, not_after: to }, signal), []),
    staleTime: 60_000,
  })

async function readPages(id: number, query: { not_before: string; not_after?: string | undefined }, signal: AbortSignal) {
  const points: HistoryPoint[] = []
  for (let page = 1; ; page++) {
    const { results, next } = await client.positions.history({ params: { id }, query: { ...query, page } }, { signal })
    points.push(...results)
    if (!next || results.length === 0) return points
  }
}
