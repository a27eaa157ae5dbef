import type Stripe from 'stripe'
import type { Language } from '#contracts/lib/languages.ts'
import { isSafePath } from '#contracts/rules/navigation.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { DeviceRow } from '#db/scope.ts'
import { stripeProductId } from '#server/billing/records/price-list.ts'
import { describePurchase } from '#server/billing/records/purchase-metadata.ts'
import type { PriceRow, SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { isMissing, type Payments, stripeId } from '#server/ports/payments.ts'

type Buyer = { customer: string; accountId: number; createdAt: Date; language: Language }
type Paths = { success_path: string; cancel_path: string }

const DESCRIPTION_LENGTH = 500
/** Stripe's limit for the text next to its pay button. */
const TEXT_LENGTH = 1200

/** Parameters of the Stripe checkout session: inline prices from our table, in the buyer's language. */
export function buildCheckoutParams(purchases: readonly Purchase[], buyer: Buyer, paths: Paths, origin: string) {
  const account = String(buyer.accountId)
  const metadata = describePurchase(buyer, purchases)
  const names = [...new Set(purchases.map(({ device }) => device.name))].join(', ').slice(0, TEXT_LENGTH)
  const isRecurring = purchases.some(({ price }) => price.interval)
  return {
    mode: isRecurring ? 'subscription' : 'payment',
    customer: buyer.customer,
    client_reference_id: account,
    locale: buyer.language,
    success_url: origin + paths.success_path,
    cancel_url: origin + paths.cancel_path,
    metadata,
    custom_text: { submit: { message: names } },
    ...(isRecurring
      ? { subscription_data: { metadata, description: names.slice(0, DESCRIPTION_LENGTH) } }
      : { invoice_creation: { enabled: true }, payment_intent_data: { metadata } }),
    line_items: purchases.map((purchase) => ({ quantity: 1, price_data: buildPriceData(purchase) })),
  } satisfies Stripe.Checkout.SessionCreateParams
}

const buildPriceData = ({ price }: Purchase) => ({
  currency: price.currency,
  unit_amount: price.unitAmount,
  tax_behavior: price.taxBehavior,
  ...recurrence(price),
  product: stripeProductId(price.id),
})

const recurrence = ({ interval, intervalCount }: PriceRow) =>
  interval ? { recurring: { interval, interval_count: intervalCount ?? 1 } } : {}

/**
 * Idempotency key, so that a repeated request returns the same session. It changes with the cart, with the current subscriptions (the next
 * extension is a new purchase) and with the day (a session is valid for 24 hours).
 */
export const checkoutKey = (params: object, held: readonly (SubscriptionRow | undefined)[], now: Date) =>
  sha256(JSON.stringify([params, held.map((subscription) => subscription?.id), now.toISOString().slice(0, 10)]))

/**
 * Returns an open checkout session for an idempotency key. For a repeated key Stripe returns the session as it was created; if that has
 * expired or is paid, a derived key is tried, the same one for simultaneous requests.
 */
export async function ensureOpenCheckout(
  payments: Payments,
  params: Stripe.Checkout.SessionCreateParams,
  intent: string,
): Promise<Stripe.Checkout.Session> {
  const { sessions } = payments.stripe.checkout
  const { id } = await sessions.create(params, { idempotencyKey: intent })
  const session = await sessions.retrieve(id)
  return session.status === 'open' ? session : ensureOpenCheckout(payments, params, sha256(intent + id))
}

/** The first of the checkouts that is still payable, has today's price and language, and returns to the same pages. */
export async function findOpenCheckout(
  { stripe }: Payments,
  { customer, line_items, locale, success_url, cancel_url }: ReturnType<typeof buildCheckoutParams>,
  known: readonly { sessionId: string }[],
): Promise<Stripe.Checkout.Session | undefined> {
  const total = line_items.reduce((sum, { price_data }) => sum + price_data.unit_amount, 0)
  for (const { sessionId } of known) {
    const session = await stripe.checkout.sessions.retrieve(sessionId).catch((error) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (session?.status !== 'open' || stripeId(session.customer) !== customer) continue
    const isSamePlace = pageOf(session.success_url) === pageOf(success_url) && pageOf(session.cancel_url) === pageOf(cancel_url)
    if (isSamePlace && session.amount_subtotal === total && session.locale === locale) return session
  }
  return undefined
}

/** Tabs differ in the query only. */
const pageOf = (url: string | null) => url?.split('?')[0]

/** Whether two carts have the same lines, in any order. */
export function isSameCart(one: readonly Line[], other: readonly Line[]) {
  const keys = (lines: readonly Line[]) => lines.map(({ device, price }) => `${device} ${price}`).sort()
  return JSON.stringify(keys(one)) === JSON.stringify(keys(other))
}

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
 * Matches the requested lines with our trackers and prices, so amounts never come from the request body. Throws `not_found`, `no_change`,
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
