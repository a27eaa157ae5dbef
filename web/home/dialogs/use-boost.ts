import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { devicesApi, updateCachedDevice } from '#web/trackers/trackers.queries.tsx'
import { runningBoostEnd } from './running-boost.ts'

/** The end of the running boost, or null, and the calls that start and end one. */
export function useBoost({ id, tracker_config }: Device) {
  const queries = useQueryClient()
  const until = runningBoostEnd(tracker_config, useNow())
  const know = (boost_until: string | null) => updateCachedDevice(queries, id, { tracker_config: { ...tracker_config, boost_until } })
  const start = useMutation({
    mutationFn: (duration_minutes: number) => devicesApi.boost({ params: { id }, body: { duration_minutes } }),
    onSuccess: (boost) => know(boost.until),
  })
  const end = useMutation({
    mutationFn: () => devicesApi.endBoost({ params: { id } }),
    onSuccess: () => know(null),
  })
  return { until, start, end }
}
