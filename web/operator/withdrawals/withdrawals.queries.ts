import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { WithdrawalOutcome } from '#contracts/billing/withdrawal.ts'
import type { WithdrawalSort } from '#contracts/operator/withdrawals.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { withdrawalsApi } from '#web/operator/session/operator.api.ts'

export type WithdrawalFilter = { outcome?: WithdrawalOutcome; search?: string; sort?: WithdrawalSort }

const KEY = ['operator withdrawals']

/** Customers declare them at any time, so the list is read again whenever it is opened. */
export const withdrawalsQuery = (filter: WithdrawalFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) => withdrawalsApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** Null for an unknown withdrawal. */
export const withdrawalQuery = (id: number) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => withdrawalsApi.read({ params: { id } }, { signal }).catch(nullIfUnknown),
    staleTime: 0,
  })
