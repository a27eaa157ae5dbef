import { computeEndDate, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { discountPrice } from '#server/billing/records/care-claims.store.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { setNewestEnd } from '#server/billing/records/payments.store.ts'
import { lineLabel } from '#server/billing/records/subscriptions.present.ts'
import {
  activateDevice,
  addSubscription,
  findSubscription,
  type PriceRow,
  setOptions,
  stopRenewals,
  withoutRenewal,
} from '#server/billing/records/subscriptions.store.ts'

/** Fields common to all items of a purchase. */
export type PurchaseTerms = { tax: number | null; paidAt: Date; providerId: string | null; now: Date }
/** `device` is undefined when the tracker has been deleted or moved to another account. */
export type PurchasedItem = {
  device: DeviceRow | undefined
  plan: PriceRow | undefined
  options: PriceRow[]
  replacement: PriceRow | undefined
}

export const sortPrices = (device: DeviceRow | undefined, own: readonly PriceRow[]): PurchasedItem => ({
  device,
  plan: own.find((price) => price.type === 'plan'),
  options: own.filter((price) => price.type === 'option'),
  replacement: own.find((price) => price.type === 'tracker'),
})

export async function grantItem(tx: Tx, device: DeviceRow, { plan, options }: PurchasedItem, terms: PurchaseTerms) {
  if (plan) await grantPlan(tx, device, plan, options, terms)
  else if (options.length > 0) await grantOptions(tx, device, options, terms.paidAt)
}

/** Grants an item that was paid before the tracker's current subscription: its months are added, and only the newer subscription renews. */
export async function grantLateItem(tx: Tx, device: DeviceRow, item: PurchasedItem, terms: PurchaseTerms) {
  const newest = await findSubscription(tx, device.id)
  if (!item.plan || !newest?.providerId || newest.startedAt <= terms.paidAt) return grantItem(tx, device, item, terms)
  if (item.options.length > 0) await setOptions(tx, newest.id, withOptions(newest.options, item.options))
  if (terms.providerId) await queueTasks(tx, [{ kind: 'trim', ref: terms.providerId }], terms.now)
  if (isUnlimited(device.subState, device.subEndDate)) return
  const end = computeEndDate(terms.paidAt, device.subEndDate, item.plan.months, item.plan.extra)
  await activateDevice(tx, device.id, end)
  await setNewestEnd(tx, device.id, end)
}

async function grantPlan(tx: Tx, device: DeviceRow, plan: PriceRow, options: PriceRow[], { tax, paidAt, providerId, now }: PurchaseTerms) {
  const { months, extra } = plan
  const end = computeEndDate(paidAt, device.subEndDate, months, extra)
  const endsAt = isUnlimited(device.subState, device.subEndDate) ? null : end
  await stopRenewals(tx, device.id, now)
  const kept = (await findSubscription(tx, device.id))?.options ?? []
  await activateDevice(tx, device.id, endsAt)
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
    startedAt: paidAt,
    providerId: plan.interval ? providerId : null,
    status: plan.interval ? 'active' : null,
    heldUntil: null,
    renewalAmount: plan.interval ? plan.unitAmount : null,
  })
}

async function grantOptions(tx: Tx, device: DeviceRow, options: PriceRow[], startedAt: Date) {
  const known = await findSubscription(tx, device.id)
  if (known) return setOptions(tx, known.id, withOptions(known.options, options))
  const { subEndDate: endsAt } = device
  return addSubscription(tx, {
    ...withoutRenewal,
    deviceId: device.id,
    months: 0,
    extra: 0,
    endsAt,
    options: withOptions([], options),
    startedAt,
  })
}

const withOptions = (known: string[], options: PriceRow[]) => [...new Set([...known, ...options.map((price) => price.id)])]

export const linesOf = ({ device, plan, options, replacement }: PurchasedItem) =>
  [...(plan ? [plan] : []), ...options, ...(replacement ? [discountPrice(replacement)] : [])].map((price) => ({
    label: lineLabel(price, device?.name),
    quantity: 1,
    unit_amount: price.unitAmount,
  }))
