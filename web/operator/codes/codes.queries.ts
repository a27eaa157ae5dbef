import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BatchSort, CodeSort } from '#contracts/operator/codes.ts'
import { codesApi } from '#web/operator/session/operator.api.ts'

export const CODES_KEY = ['codes'] as const

export const batchesQuery = (sort?: BatchSort) =>
  infiniteQueryOptions({
    queryKey: [...CODES_KEY, 'batches', sort ?? null],
    queryFn: ({ pageParam, signal }) =>
      codesApi.batches({ query: { ...(sort && { sort }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const codePlansQuery = () =>
  queryOptions({ queryKey: [...CODES_KEY, 'plans'], queryFn: ({ signal }) => codesApi.plans({}, { signal }) })

export type CodesFilter = { batch?: string; search?: string; mailed?: 'true'; sort?: CodeSort }

export const codesQuery = (filter: CodesFilter) =>
  infiniteQueryOptions({
    queryKey: [...CODES_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) => codesApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
