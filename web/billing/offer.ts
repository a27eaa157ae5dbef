import { CARE_PLAN } from '#contracts/billing/care-claims.ts'
import type { HeldSubscription, Price } from '#contracts/billing/subscriptions.ts'
import { isTwoDecimalCurrency, parseMetaNumber } from '#contracts/rules/price.ts'
import { currentSubState, type SubscriptionAction, subscriptionAction } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'

/** The prices offered to one account, in server order. */
export type Offer = { plans: readonly Price[]; options: readonly Price[] }

/** Filters prices by the account's currency. Currencies without exactly two decimals are not supported. */
export const buildOffer = (prices: readonly Price[], currency: string): Offer => {
  const ours = prices.filter((price) => price.currency === currency.toLowerCase() && isTwoDecimalCurrency(price.currency))
  return { plans: ours.filter(({ type }) => type === 'plan'), options: ours.filter(({ type }) => type === 'option') }
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

/** Part of the address of a tracker's settings that leads to its care plan. */
export const CARE_HASH = '#care'

export const hasCarePlan = ({ options }: Offer, held: HeldSubscription | undefined) =>
  options.some(({ id, name }) => name === CARE_PLAN && held?.options.includes(id))
