import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { calls } from './theft-file.calls.ts'

/** The newest report of a tracker, open or closed; null when there never was one (E-60). */
export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['theft', id],
    queryFn: ({ signal }) =>
      calls.read({ params: { id } }, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'no_report') return null
        throw error
      }),
  })
