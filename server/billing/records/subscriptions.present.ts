import type { HeldSubscription, Price, Subscription } from '#contracts/billing/subscriptions.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { isRunning } from '#server/ports/payments.ts'
import type { PriceRow, SubscriptionRow } from './subscriptions.store.ts'

export const presentPrice = (price: PriceRow): Price => ({
  id: price.id,
  type: price.type,
  name: price.name,
  currency: price.currency,
  unit_amount: price.unitAmount,
  tax_behavior: price.taxBehavior,
  recurring: price.interval && { interval: price.interval, interval_count: price.intervalCount ?? 1 },
  meta_data: { months: price.months, extra: price.extra },
})

export const presentSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  type: row.isRecurring ? 'recurring' : 'one_time',
  price: row.priceId,
  tax: row.tax,
  duration_months: row.months,
  extra_months: row.extra,
  renewal_date: toIso(row.renewsAt),
  sub_end_date: toIso(row.endsAt),
})

/** `prices` has those of all rows, `next` what was announced for renewals and is not done yet. */
export const presentAccountSubscriptions = (
  rows: readonly SubscriptionRow[],
  prices: Prices,
  next: readonly NextAmount[],
): HeldSubscription[] =>
  rows.map((row) => ({
    ...presentSubscription(row),
    device: row.deviceId,
    options: row.options,
    renewal: presentRenewal(row, rows, prices),
    ...presentNext(row, prices, next),
  }))

type NextAmount = { providerId: string; priceId: string; amount: number; from: Date }

function presentNext({ providerId, priceId, isRecurring }: SubscriptionRow, prices: Prices, next: readonly NextAmount[]) {
  const found = next.find((each) => each.providerId === providerId && each.priceId === priceId)
  const currency = prices.get(priceId ?? '')?.currency
  return isRecurring && found && currency ? { next_amount: { amount: found.amount, currency, from: formatInstant(found.from) } } : {}
}

type Prices = ReadonlyMap<string, Pick<PriceRow, 'currency'>>

function presentRenewal(
  { providerId, status, isRecurring, priceId }: SubscriptionRow,
  all: readonly SubscriptionRow[],
  prices: Prices,
): HeldSubscription['renewal'] {
  if (providerId === null || !isRunning(status)) return null
  const together = all.filter((other) => other.providerId === providerId)
  const currency = prices.get(priceId ?? '')?.currency
  return { cancel_at_period_end: !isRecurring, devices: together.map(({ deviceId }) => deviceId), ...(currency && { currency }) }
}

/** Label of a line in a checkout, an order or an invoice. It does not mention a deleted tracker. */
export const lineLabel = (price: Pick<PriceRow, 'name'>, deviceName: string | undefined) =>
  deviceName === undefined ? price.name : `${price.name} – ${deviceName}`

export const toIso = (date: Date | null) => date && formatInstant(date)
