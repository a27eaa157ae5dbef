import { queryOptions } from '@tanstack/react-query'
import { calls } from './phones.calls.ts'

/** The keys with which phones speak for one tracker, newest first. */
export const keysQuery = (id: number) =>
  queryOptions({
    queryKey: ['deviceKeys', id],
    queryFn: ({ signal }) => calls.list({ params: { id } }, { signal }),
    staleTime: 0, // when a phone last reported changes without us
  })
