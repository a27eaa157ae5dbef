import { queryOptions } from '@tanstack/react-query'
import { calls } from './phones.calls.ts'

/** Keys of the phones that report as one tracker, newest first. */
export const keysQuery = (id: number) =>
  queryOptions({
    queryKey: ['deviceKeys', id],
    queryFn: ({ signal }) => calls.list({ params: { id } }, { signal }),
    staleTime: 0, // other devices update `last_used_at`
  })
