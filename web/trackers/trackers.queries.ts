import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Device, devices } from '#contracts/devices.ts'
import { type HistoryPage, type HistoryPoint, positions } from '#contracts/positions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'

/** The endpoints of a device and of its positions, a function each: `devicesApi.list()`. Failures are `ApiError`s. */
export const devicesApi = createClient(devices, clientPorts)
export const positionsApi = createClient(positions, clientPorts)

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
    queryFn: ({ signal }) => devicesApi.list({ query: { type: 'tracker' } }, { signal }),
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

type Query = { not_before: string; not_after?: string | undefined }

/** Reads page after page, until one is empty or leads to where the reading has been. */
async function readPages(id: number, period: Query, signal: AbortSignal) {
  const points: HistoryPoint[] = []
  const seen = new Set<string>()
  for (let query: Query | null = period; query; ) {
    const { results, next }: HistoryPage = await positionsApi.history({ params: { id }, query }, { signal })
    points.push(...results)
    if (results.length === 0 || !next || seen.has(next)) break
    seen.add(next)
    query = nextQuery(period, next)
  }
  return points
}

/** The query of the next page, by page, offset or cursor as the backend likes it; null when its address, of any host, has none. */
function nextQuery(period: Query, next: string): Query | null {
  const search = URL.canParse(next, BASE) ? new URL(next, BASE).searchParams : new URLSearchParams()
  return search.size > 0 ? { ...period, ...Object.fromEntries(search) } : null
}

const BASE = 'https://portal.invalid'
