import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import { deviceKeyKeys } from './device-keys.queries.ts'

/** The newly created key, which the server returns only once. It outlives the dialog, which is rendered again when a tablet is turned. */
export function useMadeKey(device: number) {
  const queries = useQueryClient()
  const queryKey = deviceKeyKeys.made(device)
  const { data } = useQuery<NewDeviceKey | null>({ queryKey, queryFn: skipToken })
  return [data ?? null, (key: NewDeviceKey | null) => queries.setQueryData(queryKey, key)] as const
}
