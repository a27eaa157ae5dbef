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

export const presentAccountSubscription = (row: SubscriptionRow, _: number, all: readonly SubscriptionRow[]): HeldSubscription => ({
  ...presentSubscription(row),
  device: row.deviceId,
  options: row.options,
  renewal: presentRenewal(row, all),
})

function presentRenewal(
  { providerId, status, isRecurring }: SubscriptionRow,
  all: readonly SubscriptionRow[],
): HeldSubscription['renewal'] {
  if (providerId === null || !isRunning(status)) return null
  const together = all.filter((other) => other.providerId === providerId)
  return { cancel_at_period_end: !isRecurring, devices: together.map(({ deviceId }) => deviceId) }
}

/** Label of a line in a checkout, an order or an invoice. It does not mention a deleted tracker. */
export const lineLabel = (price: Pick<PriceRow, 'name'>, deviceName: string | undefined) =>
  deviceName === undefined ? price.name : `${price.name} – ${deviceName}`

export const toIso = (date: Date | null) => date && formatInstant(date)
