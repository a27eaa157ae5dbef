import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOffline } from '#web/lib/api/connection.ts'
import { stayOffline } from '#web/lib/navigation/navigation.ts'

/**
 * Without a connection a screen stays where it is, with what it had read and what was typed; one that has nothing to show
 * yet leads to /error as ever. Back again, everything in use is read anew. Answers since when it is offline.
 */
export function useStaying(): Date | null {
  const queries = useQueryClient()
  useEffect(() => {
    const isWaiting = () =>
      queries
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .some((query) => query.state.data === undefined && (query.meta?.isWholeScreen || query.getObserversCount() === 0))
    return stayOffline(() => !navigator.onLine && !isWaiting())
  }, [queries])
  return useOffline(() => void queries.invalidateQueries())
}
