import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { NO_POSITIONS } from '#contracts/track/columns.ts'
import { Device, devices } from '#contracts/trackers/devices.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { loadChunk } from '#web/lib/chunk.ts'
import { clock } from '#web/lib/clock.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { storage, tryOrNull } from '#web/lib/storage.ts'
import type { Progress } from '#web/trackers/trace/read-pages.ts'
import { Part } from '#web/ui/feedback/part.tsx'

/**
 * The trackers of the last visit, saved on this device, so that a slow connection shows them at once. They are marked with their time until
 * the server has responded, belong to one session and are erased at sign-out.
 */
const LastTrackers = z.object({ session: z.string(), at: z.number(), trackers: z.array(Device) })

/** Minimum interval between two polls, in seconds. */
const POLL_SECONDS = 30

/** Local storage holds about 5 MB for everything. */
const MAX_TRACKERS = 500

/** Enough to distinguish sessions; a copy of the whole token would be a second secret. */
const identifySession = () => storage.get('token')?.slice(0, 8) ?? ''

let shownAt: number | null = null
let isFresh = false
const listeners = new Set<() => void>()

function setShownAt(at: number | null) {
  if (at === shownAt) return
  shownAt = at
  // Styles stop animations that look live.
  document.documentElement.toggleAttribute('data-last-known', at !== null)
  for (const listener of listeners) listener()
}

onSessionEnd(() => {
  isFresh = false
  setShownAt(null)
})

/** Saves the trackers of the server's latest response. */
function saveTrackers(trackers: readonly Device[]) {
  isFresh = true
  setShownAt(null)
  if (trackers.length > MAX_TRACKERS) return storage.remove('lastTrackers')
  const session = identifySession()
  if (session) storage.set('lastTrackers', JSON.stringify({ session, at: clock.now().getTime(), trackers }))
}

/** Passes on the saved trackers, unless the server has already responded or the browser is offline, which has its own page. */
function showLastTrackers(show: (trackers: Device[]) => void) {
  if (isFresh || !navigator.onLine) return
  const saved = LastTrackers.safeParse(tryOrNull(() => JSON.parse(storage.get('lastTrackers') ?? 'null')))
  if (!saved.success || saved.data.session !== identifySession()) return
  show(saved.data.trackers)
  setShownAt(saved.data.at)
}

export const isLastKnown = () => shownAt !== null

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the time of the saved trackers while they are shown; null once the server has responded. */
export const useLastKnown = () => useSyncExternalStore(subscribe, () => shownAt)

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

/** Puts a new tracker first in the list, which is then loaded again. */
export function addToCachedDevices(queries: QueryClient, device: Device) {
  const { queryKey } = devicesQuery()
  queries.setQueryData(queryKey, (devices) => devices && [device, ...devices.filter(({ id }) => id !== device.id)])
  void queries.invalidateQueries({ queryKey })
}

export const trackerKeys = {
  devices: ['devices'],
  traces: ['trace'],
  traceProgress: ['trace-progress'],
  trackerTraces: (id: number) => ['trace', id],
} as const

let readMs = 0
/** Seconds between two polls, so that reading the trackers takes at most a tenth of the time. */
export const pollSeconds = () => Math.max(POLL_SECONDS, Math.round(readMs / 100))

/** All trackers of the account, in the server's order. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: trackerKeys.devices,
    queryFn: async ({ signal, client, queryKey }) => {
      // Shows the first trackers while more are loading.
      const onPart = (part: Device[]) =>
        client.setQueryData<Device[]>(queryKey, (known) => (known && known.length >= part.length ? known : part))
      const startedAt = performance.now()
      const trackers = await devicesApi.list({ query: { type: 'tracker' } }, { signal, onPart })
      readMs = performance.now() - startedAt
      saveTrackers(trackers)
      return trackers
    },
  })

/** One tracker from the cached list, so that a live change shows everywhere; undefined for an unknown one or another account's. */
export const deviceQuery = (id: number) =>
  queryOptions({ ...devicesQuery(), select: (devices: Device[]) => devices.find((device) => device.id === id) })

/**
 * All positions between two instants, oldest first; empty without a history. Without an end it reaches up to now and is extended by the
 * live stream.
 */
export const traceQuery = (id: number, from: string, to?: string) =>
  queryOptions({
    queryKey: [...trackerKeys.trackerTraces(id), from, to ?? null],
    queryFn: ({ signal, client }) => {
      const { queryKey } = traceProgressQuery(id, from, to)
      const read = async () => {
        // The map shows trackers before anybody opens a day of one.
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
    // Structural sharing is useless: columns never equal the previous ones.
    structuralSharing: false,
    staleTime: 60_000,
  })

/** The progress of reading a trace page by page, while it lasts and after it failed. */
export const traceProgressQuery = (id: number, from: string, to?: string) =>
  queryOptions<Progress>({
    queryKey: [...trackerKeys.traceProgress, id, from, to ?? null],
    queryFn: skipToken,
    structuralSharing: false,
  })

const NONE: readonly Device[] = []

type Screen = (devices: readonly Device[], instead: ReactNode) => ReactNode

/** A screen with all trackers. After a failure its list is empty and `instead` is the error to show, so that heading and map stay. */
export function WithDevices({ skeleton, children }: { skeleton?: ReactNode; children: Screen }) {
  const queries = useQueryClient()
  // Before the first read, which suspends only if nothing was saved. Saved trackers are always out of date.
  useState(() =>
    showLastTrackers((saved) => {
      queries.setQueryData(devicesQuery().queryKey, (known) => known ?? saved, { updatedAt: 0 })
    }),
  )
  // The first part of a long list ends the wait for all of it.
  useQuery({ ...devicesQuery(), enabled: false, select: ({ length }) => length > 0 })
  return (
    <Part isScreen skeleton={skeleton} frame={(failure, retry) => <Failed retry={retry}>{children(NONE, failure)}</Failed>}>
      <Loaded>{children}</Loaded>
    </Part>
  )
}

const Loaded = ({ children }: { children: Screen }) => children(useSuspenseQuery(devicesQuery()).data, null)

/** Screens poll for the trackers even after a failure, and show them as soon as they arrive. */
function Failed({ retry, children }: { retry: () => void; children: ReactNode }) {
  const isBack = useQuery({ ...devicesQuery(), retryOnMount: false }).data !== undefined
  useEffect(() => {
    if (isBack) retry()
  }, [isBack, retry])
  return children
}
