import { QueryClient } from '@tanstack/react-query'
import { shareOmitted } from '#web/lib/other-backends/omitted.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { onRetry } from './connection.ts'

/**
 * Cache of what the screens read from the API. Nothing is retried, because the API client decides what a failure means. Refetching waits
 * for the network, so that waking up a computer does not redirect the user to /error.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      structuralSharing: shareOmitted,
      staleTime: 10_000,
      refetchOnReconnect: false,
      refetchOnMount: () => navigator.onLine,
      refetchOnWindowFocus: () => navigator.onLine,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

onSessionEnd(() => queryClient.clear())
/** Failed queries are reset, not removed, so that all components that use one see the result when a boundary loads it again. */
onRetry(() => {
  const failed = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' && state.data === undefined })
  for (const query of failed) query.reset()
})

/** For `refetchInterval`: polls every `ms` while the browser is online; react-query already pauses on hidden pages. */
export const pollEvery = (ms: number) => () => (navigator.onLine ? ms : false)
