import type Stripe from 'stripe'
import { newEndDate } from '#contracts/rules/end-date.ts'
import { subStateAt } from '#contracts/rules/sub-state.ts'
import type { Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Changed } from '#server/lib/device-changes.ts'
import { idOf } from '#server/lib/payments.ts'
import { labelOf } from './present.ts'
import {
  activateUntil,
  addPaidOrder,
  addSubscription,
  type CheckoutRow,
  deviceById,
  type PriceRow,
  pricesById,
  setOptions,
  subscriptionOf,
} from './store.ts'

/** What all that a checkout bought has in common. */
type Terms = { tax: number | null; now: Date; providerId: string | null }
type Bought = { device: DeviceRow; plan: PriceRow | undefined; options: PriceRow[] }

/** Gives what a paid checkout bought: subscriptions, their options, an order and its invoice. Call once per checkout. */
export async function grant(tx: Tx, checkout: CheckoutRow, session: Stripe.Checkout.Session, now: Date, touch: (device: Changed) => void) {
  const tax = session.total_details?.amount_tax || null
  const bought = await boughtWith(tx, checkout)
  const terms: Terms = { tax, now, providerId: idOf(session.subscription) }
  for (const one of bought) {
    if (one.plan) await grantPlan(tx, one.device, one.plan, one.options, terms)
    else await grantOptions(tx, one.device, one.options, now)
    touch(one.device)
  }
  await addPaidOrder(tx, {
    accountId: checkout.accountId,
    date: now,
    status: 'delivered',
    total: session.amount_total ?? 0,
    tax,
    currency: session.currency ?? 'eur',
    lines: bought.flatMap(linesOf),
    providerId: idOf(session.invoice),
  })
}

/** Trackers of the checkout with their prices; one removed since, or gone to another account, gets nothing. */
async function boughtWith(tx: Tx, { items, accountId }: CheckoutRow): Promise<Bought[]> {
  const prices = await pricesById(tx, [...new Set(items.map((item) => item.price))])
  const bought: Bought[] = []
  for (const id of new Set(items.map((item) => item.device))) {
    const device = await deviceById(tx, id)
    const own = items.filter((item) => item.device === id).flatMap((item) => prices.get(item.price) ?? [])
    if (device?.accountId !== accountId) continue
    bought.push({ device, plan: own.find((price) => price.type === 'plan'), options: own.filter((price) => price.type === 'option') })
  }
  return bought
}

async function grantPlan(tx: Tx, device: DeviceRow, plan: PriceRow, options: PriceRow[], { tax, now, providerId }: Terms) {
  const { months, extra } = plan
  const end = newEndDate(now, device.subEndDate, months, extra)
  const endsAt = isUnlimited(device, now) ? null : end
  const kept = (await subscriptionOf(tx, device.id))?.options ?? []
  await activateUntil(tx, device.id, endsAt)
  await addSubscription(tx, {
    deviceId: device.id,
    priceId: plan.id,
    isRecurring: plan.interval !== null,
    tax,
    months,
    extra,
    renewsAt: plan.interval ? end : null,
    endsAt,
    options: withOptions(kept, options),
    startedAt: now,
    providerId: plan.interval ? providerId : null,
  })
}

async function grantOptions(tx: Tx, device: DeviceRow, options: PriceRow[], now: Date) {
  const known = await subscriptionOf(tx, device.id)
  if (known) return setOptions(tx, known.id, withOptions(known.options, options))
  const { subEndDate: endsAt } = device
  const row = { deviceId: device.id, priceId: null, isRecurring: false, tax: null, months: 0, extra: 0, renewsAt: null, endsAt }
  return addSubscription(tx, { ...row, options: withOptions([], options), startedAt: now, providerId: null })
}

/** A subscription without an end is not shortened by a purchase. */
const isUnlimited = ({ subState, subEndDate }: DeviceRow, now: Date) => subEndDate === null && subStateAt(subState, null, now) === 'active'

const withOptions = (known: string[], options: PriceRow[]) => [...new Set([...known, ...options.map((price) => price.id)])]

const linesOf = ({ device, plan, options }: Bought) =>
  [...(plan ? [plan] : []), ...options].map((price) => ({ label: labelOf(price, device.name), quantity: 1, unit_amount: price.unitAmount }))
