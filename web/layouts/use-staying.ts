import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOffline } from '#web/lib/api/connection.ts'
import { setOfflineGuard } from '#web/lib/navigation/navigation.ts'

/**
 * Lets a screen that has data stay open offline, with its data and typed text; a screen without data still leads to /error. Back online,
 * everything in use is reloaded. Returns since when it is offline.
 */
export function useStayOffline(): Date | null {
  const queries = useQueryClient()
  useEffect(() => {
    const isWaiting = () =>
      queries
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .some((query) => query.state.data === undefined && (query.meta?.isWholeScreen || query.getObserversCount() === 0))
    return setOfflineGuard(() => !navigator.onLine && !isWaiting())
  }, [queries])
  return useOffline(() => void queries.invalidateQueries())
}
