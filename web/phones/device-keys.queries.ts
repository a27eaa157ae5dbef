import { queryOptions } from '@tanstack/react-query'
import { deviceKeys } from '#contracts/trackers/device-keys.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const deviceKeysApi = createClient(deviceKeys, clientPorts)

export const deviceKeyKeys = {
  tracker: (id: number) => ['deviceKeys', id],
  messages: (id: number) => ['keyMessages', id],
  made: (id: number) => ['madeDeviceKey', id],
} as const

/** A user who sets up a phone switches between it and the portal. */
const MESSAGES_POLL_MS = 3000

/** Keys of the phones that report as one tracker, newest first. */
export const deviceKeysQuery = (id: number) =>
  queryOptions({
    queryKey: deviceKeyKeys.tracker(id),
    queryFn: ({ signal }) => orMissing('deviceKeys', () => deviceKeysApi.list({ params: { id } }, { signal }), []),
    // The phones update `last_used_at`, and a query under Suspense counts as fresh for a second.
    refetchOnMount: 'always',
  })

/** The last message of each key, polled while it is shown. */
export const keyMessagesQuery = (id: number) =>
  queryOptions({
    queryKey: deviceKeyKeys.messages(id),
    queryFn: ({ signal }) => orMissing('keyMessages', () => deviceKeysApi.messages({ params: { id } }, { signal }), []),
    refetchOnMount: 'always',
    refetchInterval: pollEvery(MESSAGES_POLL_MS),
  })
