import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { openLive } from '#web/lib/api/client.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.ts'
import { applyLive } from './apply-live.ts'
import { type LiveState, runChannel } from './live-channel.ts'
import { whenAwake } from './when-awake.ts'

/** Seconds between two polls. */
export const POLL_SECONDS = 30

/** Keeps the trackers up to date while mounted: by the live stream, or by polling every 30 seconds without one. */
export function useLive(): LiveState | 'polling' {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const hasStream = useFeature('live')
  useEffect(() => (hasStream ? followStream(queries, setState) : undefined), [queries, hasStream])
  const isLive = hasStream && state === 'live'
  useQuery({ ...devicesQuery(), retryOnMount: false, refetchInterval: isLive ? false : pollEvery(POLL_SECONDS * 1000) })
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
    (signal) => void runChannel({ open: openLive, signal, wait: wait, onState, onEvent: (event) => applyLive(queries, event) }),
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
