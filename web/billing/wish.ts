import type { Cart } from './cart.ts'
import { plansIn } from './cart.ts'

/** A tracker in an address, perhaps with the price chosen for it: `2` or `2.eur-12m`. */
export type Wish = { device: number; price: string | null }

/** `2.eur-12m,9` as an address has it; what is no number is nothing, and of a tracker that comes twice the first counts. */
export function readWishes(text: string | null): Wish[] {
  const wishes = (text ?? '').split(',').flatMap((part): Wish[] => {
    const [, device, price] = /^([1-9]\d{0,14})(?:\.(.+))?$/.exec(part) ?? []
    return device ? [{ device: Number(device), price: price ?? null }] : []
  })
  return wishes.filter((wish, index) => wishes.findIndex(({ device }) => device === wish.device) === index)
}

const written = (lines: readonly { device: number; price: { id: string } }[]) =>
  lines.map(({ device, price }) => `${device}.${price.id}`).join(',')

/** The address under which this cart is put together again. */
export const pathOf = (cart: Cart, more: Record<string, string> = {}) => {
  const options = written(cart.options)
  return `/subscription?${new URLSearchParams({ ...more, devices: written(plansIn(cart)), ...(options && { options }) })}`
}
