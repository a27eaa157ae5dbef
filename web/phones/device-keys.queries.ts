import { queryOptions } from '@tanstack/react-query'
import { deviceKeys } from '#contracts/device-keys.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'

export const deviceKeysApi = createClient(deviceKeys, clientPorts)

export const deviceKeyKeys = { tracker: (id: number) => ['deviceKeys', id] } as const

/** Keys of the phones that report as one tracker, newest first. */
export const deviceKeysQuery = (id: number) =>
  queryOptions({
    queryKey: deviceKeyKeys.tracker(id),
    queryFn: ({ signal }) => orMissing('deviceKeys', () => deviceKeysApi.list({ params: { id } }, { signal }), []),
    // The phones update `last_used_at`, and a query under Suspense counts as fresh for a second.
    refetchOnMount: 'always',
  })
