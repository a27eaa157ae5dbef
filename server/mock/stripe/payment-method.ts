import type Stripe from 'stripe'
import { type ChargeFault, findTestCardByLast4, lastFourDigits, type TestCard } from './cards.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from './provider.ts'

export type SavedCard = { id?: string; customer: string; brand: string; last4: string; expMonth: number; expYear: number }

export function savePaymentMethod(
  provider: Provider,
  { id = createId(provider, 'pm'), customer, brand, last4, expMonth, expYear }: SavedCard,
) {
  const method: Stripe.PaymentMethod = {
    id,
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: { ...CARD_DEFAULTS, brand, display_brand: brand, last4, exp_month: expMonth, exp_year: expYear },
    created: nowInSeconds(provider),
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  provider.methods.set(id, method)
  return method
}

/** The saved form of a test card; the number is dropped. */
export const buildSavedCard = (card: TestCard, { month, year }: Expiry, customer: string): SavedCard => ({
  customer,
  brand: 'visa',
  last4: lastFourDigits(card),
  expMonth: month,
  expYear: year,
})

export type Expiry = { month: number; year: number }

/** Parses `12 / 34`, as printed on a card; null for anything else. */
export function parseExpiry(text: string): Expiry | null {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(text) ?? []
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null
}

/** A card is valid until the end of its month. */
export function hasExpired({ clock }: Provider, { month, year }: Expiry) {
  return clock.now().getTime() >= Date.UTC(year, month)
}

/** Why a saved card cannot be charged off session; null when it can. */
export function chargeFault(provider: Provider, { id, card }: Stripe.PaymentMethod): ChargeFault | null {
  if (!card) return 'declined'
  if (hasExpired(provider, { month: card.exp_month, year: card.exp_year })) return 'expired_card'
  const known = findTestCardByLast4(card.last4)
  const isAsked = known?.asks === 'always' || (known?.asks === 'until_set_up' && !provider.setUpCards.has(id))
  return isAsked ? 'authentication_required' : (known?.fault ?? null)
}

export const listPaymentMethods = ({ methods }: Provider, customer: string) =>
  [...methods.values()].filter((method) => method.customer === customer)

/** Detaches a card from its customer and from the subscriptions it pays. */
export function detachPaymentMethod(provider: Provider, method: Stripe.PaymentMethod) {
  const customer = typeof method.customer === 'string' ? findCustomer(provider, method.customer) : undefined
  if (customer?.invoice_settings.default_payment_method === method.id)
    provider.customers.set(customer.id, { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: null } })
  for (const [id, subscription] of provider.subscriptions)
    if (subscription.default_payment_method === method.id) provider.subscriptions.set(id, { ...subscription, default_payment_method: null })
  const free = { ...method, customer: null }
  provider.methods.set(method.id, free)
  return free
}

const CARD_DEFAULTS = {
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  funding: 'credit',
  generated_from: null,
  networks: null,
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
} satisfies Partial<Stripe.PaymentMethod.Card>
