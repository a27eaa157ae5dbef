import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { NewPriceChange } from '#contracts/operator/prices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { pricesApi } from '#web/operator/session/operator.api.ts'

export const PRICES_KEY = ['prices'] as const

export const operatorPricesQuery = () =>
  queryOptions({ queryKey: [...PRICES_KEY, 'list'], queryFn: ({ signal }) => pricesApi.list({}, { signal }) })

/** Coming, past and withdrawn amounts: of all prices, or of one. */
export const priceChangesQuery = (price?: string) =>
  infiniteQueryOptions({
    queryKey: [...PRICES_KEY, 'changes', price ?? null],
    queryFn: ({ pageParam, signal }) =>
      pricesApi.changes({ query: { ...(price && { price }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** Whom a new amount would meet, or why it is refused. */
export const previewQuery = (body: z.input<typeof NewPriceChange>) =>
  queryOptions({
    queryKey: [...PRICES_KEY, 'preview', body],
    queryFn: async ({ signal }) => {
      try {
        return { preview: await pricesApi.preview({ body }, { signal }) }
      } catch (error) {
        if (error instanceof ApiError && [400, 409].includes(error.status)) return { refusal: error }
        throw error
      }
    },
    gcTime: 0,
  })
