import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { StockSort, StockState } from '#contracts/operator/stock.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { stockApi } from '#web/operator/session/operator.api.ts'

type TypeName = NonNullable<Parameters<typeof stockApi.list>[0]['query']['type']>
export type StockFilter = { search?: string; type?: TypeName; state?: StockState; batch?: string; sort?: StockSort }

export const STOCK_KEY = ['stock'] as const

export const stockQuery = (filter: StockFilter) =>
  infiniteQueryOptions({
    queryKey: [...STOCK_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) => stockApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** Null when the item is not in stock. */
export const itemQuery = (identifier: string) =>
  queryOptions({
    queryKey: [...STOCK_KEY, 'item', identifier],
    queryFn: ({ signal }) =>
      stockApi.get({ params: { identifier } }, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
  })
