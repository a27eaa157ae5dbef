import type { Price } from '#contracts/billing/subscriptions.ts'
import { parseId } from '#contracts/lib/common.ts'
import { tabStorage } from '#web/lib/storage.ts'
import type { Offer } from './offer.ts'

type Line = { device: number; price: Price }

/** One purchase: a plan per tracker, where null means "No change", and options. */
export type Cart = { plans: Readonly<Record<number, Price | null>>; options: readonly Line[] }

/** Up to this many trackers each has lines of its own in a purchase, and its options in full. */
export const FEW = 5

export const EMPTY_CART: Cart = { plans: {}, options: [] }

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

export const listPlans = ({ plans }: Cart): Line[] =>
  Object.entries(plans).flatMap(([device, price]) => (price ? [{ device: parseId(device), price }] : []))

export const listLines = (cart: Cart): Line[] => [...listPlans(cart), ...cart.options]

/** Sums in minor units, one for each currency and period of renewal, in the order of the prices: monthly and yearly payments are never added up. */
export function sumByPeriod(prices: readonly Price[]) {
  const sums: { recurring: Price['recurring']; amount: number; currency: string }[] = []
  for (const { recurring, unit_amount, currency } of prices) {
    const same = sums.find((sum) => sum.currency === currency && isSamePeriod(sum.recurring, recurring))
    if (same) same.amount += unit_amount
    else sums.push({ recurring, amount: unit_amount, currency })
  }
  return sums
}

const isSamePeriod = (a: Price['recurring'], b: Price['recurring']) =>
  a?.interval === b?.interval && a?.interval_count === b?.interval_count

/** Builds the cart from the URL. A tracker without a valid requested plan gets the first one. */
export function buildCart(wishes: readonly RequestedItem[], wishedOptions: readonly RequestedItem[], { plans, options }: Offer): Cart {
  const [first] = plans
  if (!first) return EMPTY_CART
  const chosen = wishes.reduce(
    (cart, { device, price }) => choosePlan(cart, device, plans.find(({ id }) => id === price) ?? first),
    EMPTY_CART,
  )
  return wishedOptions.reduce((cart, { device, price }) => {
    const option = options.find(({ id }) => id === price)
    return option && chosen.plans[device] ? addOption(cart, device, option) : cart
  }, chosen)
}

/** A tracker requested in the URL, optionally with a price: `2` or `2.eur-12m`. It may not exist. */
export type RequestedItem = { device: number; price: string | null }

/** Parses `2.eur-12m,9`. Empty parts are ignored; of duplicate trackers the first counts. */
export function parseRequestedItems(text: string | null): RequestedItem[] {
  const wishes = (text ?? '').split(',').flatMap((part): RequestedItem[] => {
    const [, device, price] = /^([^.]+)(?:\.(.+))?$/.exec(part) ?? []
    return device ? [{ device: parseId(device), price: price ?? null }] : []
  })
  return wishes.filter((wish, index) => wishes.findIndex(({ device }) => device === wish.device) === index)
}

const formatLines = (lines: readonly { device: number; price: { id: string } }[]) =>
  lines.map(({ device, price }) => `${device}.${price.id}`).join(',')

export const cartPath = (cart: Cart, more: Record<string, string> = {}) => {
  const options = formatLines(cart.options)
  return `/subscription?${new URLSearchParams({ ...more, devices: formatLines(listPlans(cart)), ...(options && { options }) })}`
}

/** The provider returns to addresses of at most this length, which is too short for the trackers of a fleet. */
const MAX_RETURN_PATH = 500

/** Keeps the parameters for the return from the provider in this tab if an address with them would be too long. */
export function returnPath(path: string, outcome: 'success' | 'cancel') {
  if (path.length <= MAX_RETURN_PATH) return path
  const kept = new URLSearchParams(tabStorage.get('checkout') ?? '')
  kept.set(outcome, path.slice(path.indexOf('?') + 1))
  tabStorage.set('checkout', kept.toString())
  return `/subscription?checkout=${outcome}`
}

/** The parameters of the address, or those kept before the payment if it names no tracker. */
export function readReturn(params: URLSearchParams) {
  const outcome = params.get('checkout')
  if (outcome === null || params.has('devices')) return params
  return new URLSearchParams(new URLSearchParams(tabStorage.get('checkout') ?? '').get(outcome) ?? params)
}
