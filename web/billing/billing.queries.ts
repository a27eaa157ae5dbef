import { queryOptions, useSuspenseQueries } from '@tanstack/react-query'
import { invoices } from '#contracts/billing/invoices.ts'
import { orders } from '#contracts/billing/orders.ts'
import { paymentMethods } from '#contracts/billing/payment-methods.ts'
import { subscriptions } from '#contracts/billing/subscriptions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'
import { log } from '#web/lib/log.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { buildOffer, isPlan } from './offer.ts'

export const billingApi = {
  orders: createClient(orders, clientPorts),
  invoices: createClient(invoices, clientPorts),
  cards: createClient(paymentMethods, clientPorts),
  openPortal: createClient({ billingPortal: subscriptions.billingPortal }, clientPorts).billingPortal,
}

export const billingKeys = {
  orders: ['orders'],
  order: (reference: string) => ['orders', reference],
  invoices: ['invoices'],
  cards: ['cards'],
} as const

/** Newest first. */
export const ordersQuery = () =>
  queryOptions({
    queryKey: billingKeys.orders,
    queryFn: ({ signal }) => orMissing('orders', () => billingApi.orders.list({}, { signal }), []),
  })

/** One order; null if the account has no such order. */
export const orderQuery = (reference: string) =>
  queryOptions({
    queryKey: billingKeys.order(reference),
    queryFn: ({ signal }) => billingApi.orders.read({ params: { reference } }, { signal }).catch(nullIfUnknown),
  })

/** Newest first. */
export const invoicesQuery = () =>
  queryOptions({
    queryKey: billingKeys.invoices,
    queryFn: ({ signal }) => orMissing('invoices', () => billingApi.invoices.list({}, { signal }), []),
  })

/** Default card first. */
export const cardsQuery = () =>
  queryOptions({
    queryKey: billingKeys.cards,
    queryFn: ({ signal }) => orMissing('paymentMethods', () => billingApi.cards.list({}, { signal }), []),
  })

export const subscriptionsApi = createClient(subscriptions, clientPorts)

export const subscriptionKeys = { prices: ['prices'], current: ['held'] } as const

export const pricesQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.prices,
    queryFn: async ({ signal }) => {
      const prices = await orMissing('subscriptions', () => subscriptionsApi.prices({}, { signal }), [])
      if (prices.length > 0 && !prices.some(isPlan)) log.failure('No price is a plan', prices)
      return prices
    },
    staleTime: 60_000,
  })

/** The newest subscription of each tracker; none if the backend sends only the tracker's own fields. */
export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.current,
    queryFn: ({ signal }) => orMissing('currentSubscriptions', () => subscriptionsApi.list({}, { signal }), []),
  })

/** Loads everything a shop page needs in parallel. */
export function useShopData() {
  const [prices, settings, devices, held] = useSuspenseQueries({
    queries: [pricesQuery(), settingsQuery(), devicesQuery(), subscriptionsQuery()],
  })
  const offer = buildOffer(prices.data, settings.data.currency)
  return { offer, devices: devices.data, held: held.data, hasCurrency: settings.data.currency !== '' }
}
