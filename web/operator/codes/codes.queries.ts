import { infiniteQueryOptions } from '@tanstack/react-query'
import { codesApi } from '#web/operator/session/operator.api.ts'

export const CODES_KEY = ['codes'] as const

export const batchesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...CODES_KEY, 'batches'],
    queryFn: ({ pageParam, signal }) => codesApi.batches({ query: { ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const codesQuery = (filter: { batch?: string; search?: string }) =>
  infiniteQueryOptions({
    queryKey: [...CODES_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) => codesApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
