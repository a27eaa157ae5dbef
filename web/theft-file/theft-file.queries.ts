import { queryOptions } from '@tanstack/react-query'
import { type TheftReport, theft } from '#contracts/theft.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const theftApi = createClient(theft, clientPorts)

const theftReportKeys = { tracker: (id: number) => ['theft', id] } as const

/** The newest report of a tracker, open or closed; null if there is none. */
export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: theftReportKeys.tracker(id),
    queryFn: ({ signal }) =>
      orMissing<TheftReport | null>('theftReports', () => theftApi.read({ params: { id } }, { signal }), null).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'no_report') return null
        throw error
      }),
  })
