import { queryOptions, useSuspenseQueries } from '@tanstack/react-query'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { offerIn } from './offer.ts'
import { calls } from './subscriptions.calls.ts'

/** Plans and options in all currencies. */
const pricesQuery = () => queryOptions({ queryKey: ['prices'], queryFn: ({ signal }) => calls.prices({}, { signal }), staleTime: 60_000 })

/** The newest subscription of each tracker. */
export const heldQuery = () => queryOptions({ queryKey: ['held'], queryFn: ({ signal }) => calls.list({}, { signal }) })

/** Loads everything a shop page needs in parallel. */
export function useShop() {
  const [prices, settings, devices, held] = useSuspenseQueries({ queries: [pricesQuery(), settingsQuery(), devicesQuery(), heldQuery()] })
  return { offer: offerIn(prices.data, settings.data.currency), devices: devices.data, held: held.data }
}
