import { QueryClient } from '@tanstack/react-query'
import { onSessionEnd } from '#web/lib/session.ts'
import { onRetry } from './retry.ts'

/**
 * What the screens have read from the API. Nothing is tried twice: the client decides what a failure means. Reading
 * again on its own waits for the network, so that waking up a computer does not throw a person out of the page (C-35).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnReconnect: false,
      refetchOnMount: () => navigator.onLine,
      refetchOnWindowFocus: () => navigator.onLine,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

onSessionEnd(() => queryClient.clear())
onRetry(() => queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' }))

/** For `refetchInterval`: every `ms`, but not while the browser is offline; a hidden page is not polled anyway. */
export const pollEvery = (ms: number) => () => (navigator.onLine ? ms : false)
