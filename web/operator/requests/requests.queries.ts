import { infiniteQueryOptions } from '@tanstack/react-query'
import type { RequestStatus } from '#contracts/operator/requests.ts'
import { requestsApi } from '#web/operator/session/operator.api.ts'

export const REQUESTS_KEY = ['requests'] as const

/** Requests in one state, the oldest first. */
export const requestsQuery = (status: RequestStatus) =>
  infiniteQueryOptions({
    queryKey: [...REQUESTS_KEY, status],
    queryFn: ({ pageParam, signal }) => requestsApi.list({ query: { status, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
