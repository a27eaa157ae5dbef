import type { Cart } from './cart.ts'
import { plansIn } from './cart.ts'

/** A tracker requested in the URL, optionally with a price: `2` or `2.eur-12m`. */
export type Wish = { device: number; price: string | null }

/** Parses `2.eur-12m,9`. Malformed parts are ignored; of duplicate trackers the first counts. */
export function readWishes(text: string | null): Wish[] {
  const wishes = (text ?? '').split(',').flatMap((part): Wish[] => {
    const [, device, price] = /^([1-9]\d{0,14})(?:\.(.+))?$/.exec(part) ?? []
    return device ? [{ device: Number(device), price: price ?? null }] : []
  })
  return wishes.filter((wish, index) => wishes.findIndex(({ device }) => device === wish.device) === index)
}

const written = (lines: readonly { device: number; price: { id: string } }[]) =>
  lines.map(({ device, price }) => `${device}.${price.id}`).join(',')

/** The URL that restores this cart. */
export const pathOf = (cart: Cart, more: Record<string, string> = {}) => {
  const options = written(cart.options)
  return `/subscription?${new URLSearchParams({ ...more, devices: written(plansIn(cart)), ...(options && { options }) })}`
}
