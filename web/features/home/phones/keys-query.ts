import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/client.ts'

/** The keys with which phones speak for one tracker, newest first. */
export const keysQuery = (id: number) =>
  queryOptions({
    queryKey: ['deviceKeys', id],
    queryFn: ({ signal }) => client.deviceKeys.list({ params: { id } }, { signal }),
    staleTime: 0, // when a phone last reported changes without us
  })
