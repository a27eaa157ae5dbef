import { infiniteQueryOptions } from '@tanstack/react-query'
import type { RequestSort, RequestStatus } from '#contracts/operator/requests.ts'
import { requestsApi } from '#web/operator/session/operator.api.ts'

export const REQUESTS_KEY = ['requests'] as const

export type RequestFilter = { status: RequestStatus; search?: string; sort?: RequestSort }

/** Owners ask at any time, so the list is read again whenever it is opened. */
export const requestsQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: [...REQUESTS_KEY, filter],
    queryFn: ({ pageParam, signal }) => requestsApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
