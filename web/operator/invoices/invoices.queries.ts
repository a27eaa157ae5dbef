import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InvoiceFilter, InvoiceSort } from '#contracts/operator/invoices.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { operatorInvoicesApi } from '#web/operator/session/operator.api.ts'

export type ListFilter = { state?: InvoiceFilter; search?: string; sort?: InvoiceSort }

export const INVOICES_KEY = ['operator invoices']

export const operatorInvoicesQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...INVOICES_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      operatorInvoicesApi.list({ query: { ...filter, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** Null for an unknown invoice. */
export const operatorInvoiceQuery = (id: number) =>
  queryOptions({
    queryKey: [...INVOICES_KEY, id],
    queryFn: ({ signal }) => operatorInvoicesApi.read({ params: { id } }, { signal }).catch(nullIfUnknown),
  })
