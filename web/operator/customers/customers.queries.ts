import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CustomerSort } from '#contracts/operator/customers.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { CUSTOMERS_KEY } from '#web/operator/session/customers-key.ts'
import { customersApi } from '#web/operator/session/operator.api.ts'

/** What a search finds, or without one a list of all, page by page. */
export const customersQuery = (q: string, sort?: CustomerSort) =>
  infiniteQueryOptions({
    queryKey: [...CUSTOMERS_KEY, 'list', q, sort],
    queryFn: ({ pageParam, signal }) =>
      customersApi.list({ query: { ...(q && { q }), ...(sort && { sort }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const customerQuery = (account: number) =>
  queryOptions({
    queryKey: [...CUSTOMERS_KEY, account],
    queryFn: ({ signal }) => customersApi.read({ params: { account } }, { signal }).catch(nullIfUnknown),
  })
