import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createEventParser, type StreamEvent } from '#contracts/lib/sse.ts'
import { LIVE_RESET, type LiveBody, type LiveType, liveEvents, liveStream } from '#contracts/live.ts'
import { millis } from '#contracts/rules/time.ts'
import { joinPositions, type PositionColumns, toPositionColumns } from '#contracts/track/columns.ts'
import type { Device, TrackerStatus } from '#contracts/trackers/devices.ts'
import { clientPorts, openStream } from '#web/lib/api/api.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { devicesQuery, pollSeconds, trackerKeys, updateCachedDevices } from '#web/trackers/trackers.queries.tsx'

/**
 * Keeps the trackers up to date while mounted: by the live stream, or by polling every 30 seconds without one; less often if it takes long.
 */
export function useLive(): LiveState | 'polling' {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const hasStream = useFeature('live')
  useEffect(() => (hasStream ? followStream(queries, setState) : undefined), [queries, hasStream])
  const isLive = hasStream && state === 'live'
  useQuery({ ...devicesQuery(), retryOnMount: false, refetchInterval: isLive ? false : () => pollEvery(pollSeconds() * 1000)() })
  return hasStream ? state : 'polling'
}

/** Follows the stream until the returned function is called. Reloads everything after each interruption. */
function followStream(queries: QueryClient, tell: (state: LiveState) => void) {
  let wasAway = false
  const onState = (state: LiveState) => {
    tell(state)
    if (state === 'offline') wasAway = true
    if (state !== 'live' || !wasAway) return
    wasAway = false
    void queries.invalidateQueries({ queryKey: trackerKeys.devices })
    void queries.invalidateQueries({ queryKey: trackerKeys.traces })
  }
  return whenAwake(
    (signal) =>
      void runChannel({
        open: (init) => openStream(liveStream, init, clientPorts()),
        signal,
        wait,
        onState,
        onEvent: collectPerFrame((events) => applyLive(queries, ...events)),
      }),
    () => onState('offline'),
  )
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const isAwake = () => document.visibilityState === 'visible' && navigator.onLine

/**
 * Runs `work` while the page is visible and the browser online, and aborts its signal otherwise. Returns a function that stops it
 * permanently.
 */
export function whenAwake(work: (signal: AbortSignal) => void, onSleep: () => void = () => undefined) {
  let running: AbortController | null = null
  const look = () => {
    if (isAwake() === (running !== null)) return
    running?.abort()
    running = isAwake() ? new AbortController() : null
    if (running) work(running.signal)
    else onSleep()
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
    running?.abort()
  }
}

const isLiveType = (type: string): type is LiveType => Object.hasOwn(liveEvents, type)

/** Collects all events of a frame, so that many events cost one pass and one rendering. */
export function collectPerFrame<T>(work: (items: T[]) => void) {
  let waiting: T[] = []
  return (item: T) => {
    waiting.push(item)
    if (waiting.length > 1) return
    requestAnimationFrame(() => {
      const items = waiting
      waiting = []
      work(items)
    })
  }
}

/** Applies live events to the cached queries; ignores unknown events. */
export function applyLive(queries: QueryClient, ...events: StreamEvent[]) {
  if (events.some(({ type }) => type === LIVE_RESET)) void queries.invalidateQueries()
  applyChanges(
    queries,
    events.flatMap((event) => readChange(queries, event) ?? []),
  )
}

type LiveChange = { type: LiveType; event: LiveBody<LiveType> }

function readChange(queries: QueryClient, { type, data }: StreamEvent): LiveChange | undefined {
  if (!isLiveType(type)) return undefined
  const body = parseJson(data)
  const parsed = liveEvents[type].safeParse(body)
  if (parsed.success) return { type, event: parsed.data }
  // Loaded with the first event that breaks the contract.
  import('#web/lib/other-backends/tolerance.ts').then(
    ({ readEvent }) => {
      const event = readEvent(liveEvents[type], body, clientPorts())
      if (event) applyChanges(queries, [{ type, event }])
    },
    () => undefined,
  )
  return undefined
}

function applyChanges(queries: QueryClient, changes: readonly LiveChange[]) {
  const parts = new Map<number, Partial<Device>>()
  for (const { event } of changes) parts.set(event.device, { ...parts.get(event.device), ...changedPart(event) })
  if (parts.size > 0) updateCachedDevices(queries, parts)
  for (const { event } of changes)
    if ('firing' in event && event.firing !== undefined)
      queries.setQueryData(
        ['session'],
        (known: { unread_alerts?: number } | undefined) => known && { ...known, unread_alerts: (known.unread_alerts ?? 0) + 1 },
      )
  for (const { type, event } of changes)
    if (type === 'position' && 'tracker_status' in event) extendTraces(queries, event.device, event.tracker_status)
}

function changedPart(event: LiveBody<LiveType>): Partial<Device> {
  const config = 'tracker_config' in event ? { tracker_config: event.tracker_config } : {}
  if (!('tracker_status' in event)) return config
  const { tracker_status } = event
  const link = 'is_public' in event && typeof event.is_public === 'boolean' ? { is_public: event.is_public } : {}
  return { ...config, tracker_status, online_since: tracker_status.online_since, ...link }
}

/** Appends the position to cached tracks that have no end. */
function extendTraces(queries: QueryClient, id: number, { last_position, last_address, battery, last_event }: TrackerStatus) {
  if (!last_position) return
  const { datetime } = last_position
  const event = last_event?.datetime === datetime ? last_event.type : null
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] === null
  queries.setQueriesData<PositionColumns>({ queryKey: trackerKeys.trackerTraces(id), predicate }, (known) => {
    if (!known || (known.datetime[known.length - 1] ?? 0) >= millis(datetime)) return known
    // Points of the stream have no id; their time is equally unique.
    const point = { id: millis(datetime), ...last_position, address: last_address, event, battery }
    const { borders } = known
    return { ...joinPositions([known, toPositionColumns([point])]), ...(borders && { borders }) }
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type LiveState = 'connecting' | 'live' | 'offline'

type Channel = {
  open: (init: { signal: AbortSignal; headers?: Record<string, string> }) => Promise<Response>
  onEvent: (event: StreamEvent) => void
  onState: (state: LiveState) => void
  /** Resolves after `ms`, or earlier when a retry makes sense, such as back online. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** The server sends something every 15 seconds; a stream silent for longer is dead, even if the browser still considers it open. */
const SILENCE_MS = 40_000

/** 1, 2, 4 … 30 seconds. */
export const retryDelayMs = (failures: number) => Math.min(30, 2 ** failures) * 1000

/** Keeps a stream open until aborted: reconnects with back-off and resumes after the last event received. Never throws. */
export async function runChannel({ open, onEvent, onState, wait, signal }: Channel) {
  const seen: { lastId: string | null; failures: number } = { lastId: null, failures: 0 }
  while (!signal.aborted) {
    onState(seen.failures > 0 ? 'offline' : 'connecting')
    await listen(open, signal, seen.lastId, {
      onOpen() {
        seen.failures = 0
        onState('live')
      },
      onEvent(event) {
        seen.lastId = event.id ?? seen.lastId
        onEvent(event)
      },
    }).catch(() => undefined)
    if (signal.aborted) return
    onState('offline')
    await wait(retryDelayMs(seen.failures), signal)
    seen.failures++
  }
}

type Hear = { onOpen: () => void; onEvent: (event: StreamEvent) => void }

async function listen(open: Channel['open'], outer: AbortSignal, lastId: string | null, { onOpen, onEvent }: Hear) {
  const own = new AbortController()
  const signal = AbortSignal.any([outer, own.signal])
  let watchdog = setTimeout(() => own.abort(), SILENCE_MS)
  try {
    const answer = await open({ signal, headers: lastId === null ? {} : { 'Last-Event-ID': lastId } })
    if (!answer.ok || !answer.body) return
    onOpen()
    const [parse, decoder, reader] = [createEventParser(), new TextDecoder(), answer.body.getReader()]
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => own.abort(), SILENCE_MS)
      for (const event of parse(decoder.decode(piece.value, { stream: true }))) onEvent(event)
    }
  } finally {
    clearTimeout(watchdog)
    own.abort()
  }
}
