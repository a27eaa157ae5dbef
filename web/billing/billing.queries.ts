import { queryOptions, useSuspenseQueries } from '@tanstack/react-query'
import { invoices } from '#contracts/billing/invoices.ts'
import { orders } from '#contracts/billing/orders.ts'
import { paymentMethods } from '#contracts/billing/payment-methods.ts'
import { planMoves } from '#contracts/billing/plan-moves.ts'
import { planPauses } from '#contracts/billing/plan-pauses.ts'
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

export const subscriptionKeys = { prices: ['prices'], current: ['held'], moves: ['planMoves'], pauses: ['planPauses'] } as const

export const planMovesApi = createClient(planMoves, clientPorts)

/** Whether plans can be moved without support, and what support was asked to move. */
export const planMovesQuery = () =>
  queryOptions({ queryKey: subscriptionKeys.moves, queryFn: ({ signal }) => planMovesApi.read({}, { signal }) })

export const planPausesApi = createClient(planPauses, clientPorts)

/** Whether the plan of a tracker can be paused without support, and whether support was asked for it. */
export const planPausesQuery = (tracker: number) =>
  queryOptions({
    queryKey: [...subscriptionKeys.pauses, tracker],
    queryFn: ({ signal }) => planPausesApi.read({ params: { tracker } }, { signal }),
  })

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

/**
 * Loads everything a shop page needs in parallel. `otherCurrency`: that of a running subscription, when it is not the one of the account.
 */
export function useShopData() {
  const [prices, settings, devices, held] = useSuspenseQueries({
    queries: [pricesQuery(), settingsQuery(), devicesQuery(), subscriptionsQuery()],
  })
  const own = settings.data.currency
  // Stripe charges a customer in one currency only as long as a subscription runs.
  const running = held.data
    .map(({ renewal }) => renewal?.currency)
    .find((currency) => currency !== undefined && prices.data.some((price) => price.currency === currency))
  const offer = buildOffer(prices.data, running ?? own)
  const otherCurrency = running !== undefined && running !== own.toLowerCase() ? running : null
  return { offer, devices: devices.data, held: held.data, hasCurrency: own !== '', otherCurrency }
}
