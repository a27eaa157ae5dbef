import { queryOptions } from '@tanstack/react-query'
import { conflicts } from '#contracts/trackers/conflicts.ts'
import { serialChecks } from '#contracts/trackers/serial-checks.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'

export const conflictApi = { ...createClient(conflicts, clientPorts), serial: createClient(serialChecks, clientPorts) }

const conflictKeys = { attempts: (identifier: string) => ['attempts', identifier] } as const

/** The account's remaining attempts at the S/N of a tracker; null if there is no such tracker, or no such call. */
export const attemptsQuery = (identifier: string) =>
  queryOptions({
    queryKey: conflictKeys.attempts(identifier),
    queryFn: ({ signal }) =>
      conflictApi.serial.read({ query: { identifier } }, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
    staleTime: 0,
  })
