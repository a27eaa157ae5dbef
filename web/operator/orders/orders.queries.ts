import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OrderSort, OrderState } from '#contracts/operator/orders.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { operatorOrdersApi } from '#web/operator/session/operator.api.ts'

export type OrderFilter = { state?: OrderState; search?: string; sort?: OrderSort }

export const ORDERS_KEY = ['operator orders']

export const operatorOrdersQuery = (filter: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...ORDERS_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      operatorOrdersApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** Null for an unknown order. */
export const operatorOrderQuery = (reference: string) =>
  queryOptions({
    queryKey: [...ORDERS_KEY, reference],
    queryFn: ({ signal }) => operatorOrdersApi.read({ params: { reference } }, { signal }).catch(nullIfUnknown),
  })
