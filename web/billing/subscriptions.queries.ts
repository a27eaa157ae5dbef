import { queryOptions, useSuspenseQueries } from '@tanstack/react-query'
import { subscriptions } from '#contracts/billing/subscriptions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { hasFeature, orMissing } from '#web/lib/api/features.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { buildOffer } from './offer.ts'

export const subscriptionsApi = createClient(subscriptions, clientPorts)

export const subscriptionKeys = { prices: ['prices'], current: ['held'] } as const

export const pricesQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.prices,
    queryFn: ({ signal }) => orMissing('subscriptions', () => subscriptionsApi.prices({}, { signal }), []),
    staleTime: 60_000,
  })

/** The newest subscription of each tracker; none where the backend tells only what the tracker itself says. */
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
  // Without settings the backend has no currency to choose from.
  const currency = hasFeature('settings') ? settings.data.currency : (prices.data[0]?.currency ?? settings.data.currency)
  return { offer: buildOffer(prices.data, currency), devices: devices.data, held: held.data }
}
