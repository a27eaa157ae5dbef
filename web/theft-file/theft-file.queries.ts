import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { calls } from './theft-file.calls.ts'

/** The newest report of a tracker, open or closed; null if there is none. */
export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['theft', id],
    queryFn: ({ signal }) =>
      calls.read({ params: { id } }, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'no_report') return null
        throw error
      }),
  })
