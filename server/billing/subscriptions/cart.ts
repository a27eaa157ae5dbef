import { isSafePath } from '#contracts/rules/navigation.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { PriceRow, SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'

export type Line = { device: number; price: string }
export type Purchase = { device: DeviceRow; price: PriceRow }

export const mergeLines = (lines: readonly Line[]): Line[] => [
  ...new Map(lines.map(({ device, price }) => [`${device} ${price}`, { device, price }])).values(),
]

/** Throws `validation_error` unless the paths stay on this site. */
export function validatePaths(paths: { success_path: string; cancel_path: string }) {
  for (const [field, path] of Object.entries(paths)) if (!isSafePath(path)) throw invalidField(field, 'Must be a path of this site')
}

/**
 * Pairs the requested lines with our trackers and prices, so amounts never come from the request body. Throws `not_found`, `no_change`,
 * `unknown_price`, `mixed_currency`, `validation_error`.
 */
export function buildPurchases(
  cart: { items: Line[]; options: Line[] },
  devices: Map<number, DeviceRow>,
  prices: Map<string, PriceRow>,
): Purchase[] {
  if (cart.items.some((line) => line.price === '')) throw new Failure('no_change')
  const items = cart.items.map((line) => buildPurchase(line, devices, prices))
  if (items.some(({ price }) => price.months === 0)) throw new Failure('no_change')
  const options = cart.options.map((line) => buildPurchase(line, devices, prices))
  if (items.some(({ price }) => price.type !== 'plan') || options.some(({ price }) => price.type !== 'option'))
    throw new Failure('unknown_price')
  if (new Set(items.map(({ device }) => device.id)).size < items.length) throw invalidField('items', 'One plan per tracker')
  const all = [...items, ...options]
  if (new Set(all.map(({ price }) => price.currency)).size > 1) throw new Failure('mixed_currency')
  return all
}

function buildPurchase(line: Line, devices: Map<number, DeviceRow>, prices: Map<string, PriceRow>): Purchase {
  const device = devices.get(line.device)
  if (!device) throw new Failure('not_found')
  const price = prices.get(line.price)
  if (!price?.isOffered) throw new Failure('unknown_price')
  return { device, price }
}

/** An option can be added to a tracker once. */
export function excludeHeldOptions(asked: readonly Purchase[], held: readonly (SubscriptionRow | undefined)[]): Purchase[] {
  const options = new Map(held.map((subscription) => [subscription?.deviceId, subscription?.options]))
  return asked.filter(({ device, price }) => !options.get(device.id)?.includes(price.id))
}

/** Throws `device_linked_to_pro`, or `recurring_active` when the tracker would be charged twice. */
export function validateSellable(device: DeviceRow, subscription: SubscriptionRow | undefined, now: Date) {
  if (device.isLinkedToPro) throw new Failure('device_linked_to_pro')
  const isActive = currentSubState(device.subState, device.subEndDate, now) === 'active'
  if (isActive && subscription?.isRecurring) throw new Failure('recurring_active')
}
