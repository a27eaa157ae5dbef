import type { Price } from '#contracts/subscriptions.ts'
import type { Offer } from './offer.ts'
import type { Wish } from './wish.ts'

type Line = { device: number; price: Price }

/** One purchase: a plan per tracker, where null means "No change", and options. */
export type Cart = { plans: Readonly<Record<number, Price | null>>; options: readonly Line[] }

export const EMPTY: Cart = { plans: {}, options: [] }

/** Sets the tracker to "No change" and drops its options, which are sold with a plan only. */
export const selectTracker = (cart: Cart, device: number): Cart => ({
  plans: { ...cart.plans, [device]: null },
  options: cart.options.filter((line) => line.device !== device),
})

export const choosePlan = (cart: Cart, device: number, price: Price): Cart => ({ ...cart, plans: { ...cart.plans, [device]: price } })

const isLine = (device: number, price: Price) => (line: Line) => line.device === device && line.price.id === price.id

export const hasOption = ({ options }: Cart, device: number, price: Price) => options.some(isLine(device, price))

export const addOption = (cart: Cart, device: number, price: Price): Cart =>
  hasOption(cart, device, price) ? cart : { ...cart, options: [...cart.options, { device, price }] }

export const removeOption = (cart: Cart, device: number, price: Price): Cart => {
  const isIt = isLine(device, price)
  return { ...cart, options: cart.options.filter((line) => !isIt(line)) }
}

export const plansIn = ({ plans }: Cart): Line[] =>
  Object.entries(plans).flatMap(([device, price]) => (price ? [{ device: Number(device), price }] : []))

export const linesIn = (cart: Cart): Line[] => [...plansIn(cart), ...cart.options]

/** In minor units. */
export const totalOf = (cart: Cart) => linesIn(cart).reduce((sum, { price }) => sum + price.unit_amount, 0)

/** Builds the cart from the URL. A tracker without a valid requested plan gets the first one. */
export function cartOf(wishes: readonly Wish[], wishedOptions: readonly Wish[], { plans, options }: Offer): Cart {
  const [first] = plans
  if (!first) return EMPTY
  const chosen = wishes.reduce((cart, { device, price }) => choosePlan(cart, device, plans.find(({ id }) => id === price) ?? first), EMPTY)
  return wishedOptions.reduce((cart, { device, price }) => {
    const option = options.find(({ id }) => id === price)
    return option && chosen.plans[device] ? addOption(cart, device, option) : cart
  }, chosen)
}
