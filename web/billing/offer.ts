import { CARE_PLAN } from '#contracts/billing/care-claims.ts'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import { parseMetaNumber } from '#contracts/rules/price.ts'
import { currentSubState, type SubscriptionAction, subscriptionAction } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { findBrowserCurrency } from '#web/lib/other-backends/account-currencies.ts'

/** The prices offered to one account, in server order. */
export type Offer = { plans: readonly Price[]; options: readonly Price[] }

/** Any price that is not an option. Backends have other names for plans, such as `recurring` and `one_time`. */
export const isPlan = ({ type }: Price) => type !== 'option'

/** Filters prices by the account's currency; without one, by that of the browser's country, or else of the first plan. */
export function buildOffer(prices: readonly Price[], own: string, local: string | undefined = findBrowserCurrency()): Offer {
  const currency = /^[a-z]{3}$/i.test(own) ? own.toLowerCase() : pickCurrency(prices, local)
  const ours = prices.filter((price) => price.currency === currency)
  return { plans: ours.filter(isPlan), options: ours.filter((price) => !isPlan(price)) }
}

function pickCurrency(prices: readonly Price[], local: string | undefined) {
  const offered = prices.filter(isPlan).map(({ currency }) => currency)
  return offered.find((each) => each === local) ?? offered[0]
}

/** Paid and free months of a price; null means no change. */
export const priceTerm = (price: Price | null) => ({
  months: parseMetaNumber(price?.meta_data.months),
  extra: parseMetaNumber(price?.meta_data.extra),
})

export const availableAction = ({ linked_to_pro, price, tracker_status }: Device, now: Date): SubscriptionAction =>
  subscriptionAction({
    linked_to_pro,
    sub_state: currentSubState(tracker_status.sub_state, tracker_status.sub_end_date, now),
    is_recurring: price?.recurring ?? false,
  })

export const PURCHASE_ACTIONS = ['choose', 'renew', 'extend'] as const
export type PurchaseAction = (typeof PURCHASE_ACTIONS)[number]

export const toPurchaseAction = (action: SubscriptionAction): PurchaseAction | null =>
  PURCHASE_ACTIONS.find((each) => each === action) ?? null

/** The address fragment of a tracker's settings that leads to its care plan. */
export const CARE_HASH = '#care'

export const hasCarePlan = ({ options }: Offer, held: HeldSubscription | undefined) =>
  options.some(({ id, name }) => name === CARE_PLAN && held?.options.includes(id))
