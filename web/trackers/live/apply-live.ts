import type { QueryClient } from '@tanstack/react-query'
import type { TrackerStatus } from '#contracts/devices.ts'
import type { StreamEvent } from '#contracts/lib/sse.ts'
import { LIVE_RESET, type LiveBody, type LiveType, liveEvents } from '#contracts/live.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { millis } from '#contracts/rules/time.ts'
import { trackerKeys, updateCachedDevice } from '#web/trackers/trackers.queries.ts'

const isLiveType = (type: string): type is LiveType => Object.hasOwn(liveEvents, type)

/** Applies a live event to the cached queries; ignores unknown events. */
export function applyLive(queries: QueryClient, { type, data }: StreamEvent) {
  if (type === LIVE_RESET) void queries.invalidateQueries()
  if (!isLiveType(type)) return
  const body = parseJson(data)
  const parsed = liveEvents[type].safeParse(body)
  if (parsed.success) return applyEvent(queries, type, parsed.data)
  // Loaded with the first event that breaks the contract.
  import('#web/lib/api/tolerance.ts').then(
    ({ readEvent }) => {
      const event = readEvent(liveEvents[type], body)
      if (event) applyEvent(queries, type, event)
    },
    () => undefined,
  )
}

function applyEvent(queries: QueryClient, type: LiveType, event: LiveBody<LiveType>) {
  const { device } = event
  if ('tracker_config' in event) updateCachedDevice(queries, device, { tracker_config: event.tracker_config })
  if (!('tracker_status' in event)) return
  const { tracker_status } = event
  const { online_since } = tracker_status
  const link = 'is_public' in event && typeof event.is_public === 'boolean' ? { is_public: event.is_public } : {}
  updateCachedDevice(queries, device, { tracker_status, online_since, ...link })
  if (type === 'position') extendTraces(queries, device, event.tracker_status)
}

/** Appends the position to cached tracks that have no end. */
function extendTraces(queries: QueryClient, id: number, { last_position, last_address, battery, last_event }: TrackerStatus) {
  if (!last_position) return
  const { datetime } = last_position
  const event = last_event?.datetime === datetime ? last_event.type : null
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] === null
  queries.setQueriesData<HistoryPoint[]>({ queryKey: trackerKeys.trackerTraces(id), predicate }, (points) => {
    const last = points?.at(-1)
    if (!points || (last && millis(last.datetime) >= millis(datetime))) return points
    // Points of the stream have no id; their time is as unique.
    return [...points, { id: millis(datetime), ...last_position, address: last_address, event, battery }]
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
