import type { Device } from '#contracts/devices.ts'
import { isTwoDecimalCurrency, metaNumber } from '#contracts/rules/price.ts'
import { subStateAt } from '#contracts/rules/sub-state.ts'
import { type SubscriptionAction, subscriptionAction } from '#contracts/rules/subscription-action.ts'
import type { Price } from '#contracts/subscriptions.ts'

/** What is sold to one account, in the order of the server. */
export type Offer = { plans: readonly Price[]; options: readonly Price[] }

/** The prices of the account's currency; of one that has other than two decimals nothing can be shown (C-29). */
export const offerIn = (prices: readonly Price[], currency: string): Offer => {
  const ours = prices.filter((price) => price.currency === currency.toLowerCase() && isTwoDecimalCurrency(price.currency))
  return { plans: ours.filter(({ type }) => type === 'plan'), options: ours.filter(({ type }) => type === 'option') }
}

/** How long a price lasts; no price is no change. */
export const termOf = (price: Price | null) => ({
  months: metaNumber(price?.meta_data.months),
  extra: metaNumber(price?.meta_data.extra),
})

/** What can be done about the subscription of a tracker now (D-19). */
export const actionFor = ({ linked_to_pro, price, tracker_status }: Device, now: Date): SubscriptionAction =>
  subscriptionAction({
    linked_to_pro,
    sub_state: subStateAt(tracker_status.sub_state, tracker_status.sub_end_date, now),
    is_recurring: price?.recurring ?? false,
  })

/** The actions that are a purchase. */
export const BUYING = ['choose', 'renew', 'extend'] as const
export type Buying = (typeof BUYING)[number]

export const buyingOf = (action: SubscriptionAction): Buying | null => BUYING.find((each) => each === action) ?? null
