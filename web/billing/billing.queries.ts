import { queryOptions } from '@tanstack/react-query'
import { calls } from './billing.calls.ts'

/** Newest first. */
export const ordersQuery = () => queryOptions({ queryKey: ['orders'], queryFn: ({ signal }) => calls.orders.list({}, { signal }) })

export const orderQuery = (reference: string) =>
  queryOptions({ queryKey: ['orders', reference], queryFn: ({ signal }) => calls.orders.read({ params: { reference } }, { signal }) })

/** Newest first. */
export const invoicesQuery = () => queryOptions({ queryKey: ['invoices'], queryFn: ({ signal }) => calls.invoices.list({}, { signal }) })

/** Default card first. */
export const cardsQuery = () => queryOptions({ queryKey: ['cards'], queryFn: ({ signal }) => calls.cards.list({}, { signal }) })
