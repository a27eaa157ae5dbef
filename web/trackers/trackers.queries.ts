import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { NO_POSITIONS } from '#contracts/track/columns.ts'
import { type Device, devices } from '#contracts/trackers/devices.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'
import { loadChunk } from '#web/lib/chunk.ts'
import type { Progress } from '#web/trackers/trace/read-pages.ts'
import { saveTrackers } from './last-trackers.ts'

/** The endpoints of a device, a function each: `devicesApi.list()`. Failures are `ApiError`s. */
export const devicesApi = createClient(devices, clientPorts)

export const updateCachedDevice = (queries: QueryClient, id: number, part: Partial<Device>) =>
  updateCachedDevices(queries, new Map([[id, part]]))

/** Changes several trackers in one pass over the list. */
export const updateCachedDevices = (queries: QueryClient, parts: ReadonlyMap<number, Partial<Device>>) =>
  queries.setQueryData(devicesQuery().queryKey, (devices) =>
    devices?.map((device) => {
      const part = parts.get(device.id)
      return part ? { ...device, ...part } : device
    }),
  )

export const trackerKeys = {
  devices: ['devices'],
  traces: ['trace'],
  traceProgress: ['trace-progress'],
  trackerTraces: (id: number) => ['trace', id],
} as const

/** All trackers of the account, in the server's order. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: trackerKeys.devices,
    queryFn: async ({ signal }) => {
      const trackers = await devicesApi.list({ query: { type: 'tracker' } }, { signal })
      saveTrackers(trackers)
      return trackers
    },
  })

/** One tracker from the cached list, so that a live change shows everywhere; undefined for an unknown one or another account's. */
export const deviceQuery = (id: number) =>
  queryOptions({ ...devicesQuery(), select: (devices: Device[]) => devices.find((device) => device.id === id) })

/**
 * All positions between two instants, oldest first; none without a history. Without an end it reaches up to now and is extended by the live
 * stream.
 */
export const traceQuery = (id: number, from: string, to?: string) =>
  queryOptions({
    queryKey: [...trackerKeys.trackerTraces(id), from, to ?? null],
    queryFn: ({ signal, client }) => {
      const { queryKey } = traceProgressQuery(id, from, to)
      const read = async () => {
        // The map shows trackers before anybody asks for a day of one.
        const { readTrace } = await loadChunk(() => import('#web/trackers/trace/read-trace.ts'))
        const positions = await readTrace(
          id,
          { not_before: from, not_after: to },
          {
            signal,
            known: client.getQueryData(queryKey),
            onProgress: (progress) => void client.setQueryData(queryKey, progress),
          },
        )
        client.removeQueries({ queryKey })
        return positions
      }
      return orMissing('history', read, NO_POSITIONS)
    },
    // Columns have nothing in common with those before.
    structuralSharing: false,
    staleTime: 60_000,
  })

/** How far the reading of a trace page by page has come, while it lasts and after it failed. */
export const traceProgressQuery = (id: number, from: string, to?: string) =>
  queryOptions<Progress>({
    queryKey: [...trackerKeys.traceProgress, id, from, to ?? null],
    queryFn: skipToken,
    structuralSharing: false,
  })
