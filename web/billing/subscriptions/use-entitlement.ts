import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { heldQuery } from '#web/billing/subscriptions.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'

const EVERY_MS = 2000
const TRIES = 10

/** Polls until each tracker has a subscription newer than `after`, the newest id before payment. After ten attempts `isSlow` is set. */
export function useEntitlement(bought: readonly number[], after: number) {
  const queries = useQueryClient()
  const query = heldQuery()
  // Reading `isFetching` re-renders after each attempt even when the data is unchanged.
  const { data, isFetching } = useQuery({
    ...query,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const asked = state.dataUpdateCount + state.errorUpdateCount
      return asked >= TRIES || grantedOf(state.data, bought, after) ? false : EVERY_MS
    },
  })
  const granted = grantedOf(data, bought, after)
  const state = queries.getQueryState(query.queryKey)
  const asked = (state?.dataUpdateCount ?? 0) + (state?.errorUpdateCount ?? 0)
  const isGranted = granted !== null
  useEffect(() => {
    if (isGranted) void queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
  }, [isGranted, queries])
  return { granted, isSlow: !isFetching && asked >= TRIES, again: () => void queries.resetQueries({ queryKey: query.queryKey }) }
}

type Held = { id: number; device: number }

function grantedOf<T extends Held>(held: readonly T[] | undefined, bought: readonly number[], after: number): T[] | null {
  const fresh = held?.filter(({ id, device }) => id > after && bought.includes(device))
  return fresh && fresh.length === bought.length ? fresh : null
}
