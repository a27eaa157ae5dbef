import type Stripe from 'stripe'
import * as z from 'zod/mini'
import {
  attachFault,
  type ChargeFault,
  chargeError,
  type Expiry,
  findTestCard,
  findTestCardByLast4,
  hasExpired,
  lastFourDigits,
  type TestCard,
} from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Address, Int, Metadata, Month, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'

export type SavedCard = {
  id?: string
  customer: string | null
  brand: string
  last4: string
  expMonth: number
  expYear: number
  hasCvc?: boolean
}

export function savePaymentMethod(
  provider: Provider,
  { id = createId(provider, 'pm'), customer, brand, last4, expMonth, expYear, hasCvc = true }: SavedCard,
) {
  const method: Stripe.PaymentMethod = {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      ...CARD_DEFAULTS,
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: hasCvc ? 'pass' : null },
      display_brand: brand,
      last4,
      exp_month: expMonth,
      exp_year: expYear,
    },
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
export const buildSavedCard = (card: TestCard, { month, year }: Expiry, customer: string | null): SavedCard => ({
  customer,
  brand: card.brand ?? 'visa',
  last4: lastFourDigits(card),
  expMonth: month,
  expYear: year,
})

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
  country: 'US',
  funding: 'credit',
  generated_from: null,
  networks: null,
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
} satisfies Partial<Stripe.PaymentMethod.Card>

const PAYMENT_METHODS_PATH = '/v1/payment_methods'
const BillingDetails = z.strictObject({
  address: z.optional(Address),
  email: z.optional(Text),
  name: z.optional(Text),
  phone: z.optional(Text),
})
const PaymentMethodQuery = z.strictObject({ ...Pagination, type: z.optional(z.literal('card')) })
const AllPaymentMethodsQuery = z.extend(PaymentMethodQuery, { customer: z.optional(z.string()) })
const AttachInput = z.strictObject({ customer: z.string() })
const Cvc = z.string().check(z.regex(/^\d{3,4}$/, "Your card's security code is invalid."))
const CardInput = z.union([
  z.strictObject({ token: z.string() }),
  z.strictObject({ number: z.string(), exp_month: Month, exp_year: Int, cvc: z.optional(Cvc) }),
])
const NewPaymentMethod = z.strictObject({
  type: z.literal('card'),
  card: CardInput,
  billing_details: z.optional(BillingDetails),
  metadata: z.optional(Metadata),
})
const PaymentMethodChange = z.strictObject({
  billing_details: z.optional(BillingDetails),
  card: z.optional(z.strictObject({ exp_month: z.optional(Month), exp_year: z.optional(Int) })),
  metadata: z.optional(Metadata),
})

/** Stripe's names for test cards, which need no form: `pm_card_visa` as a payment method, `tok_visa` as a token. */
export const TEST_CARD_NAMES: Record<string, string> = {
  visa: '4242 4242 4242 4242',
  visa_debit: '4000 0566 5566 5556',
  mastercard: '5555 5555 5555 4444',
  mastercard_debit: '5200 8282 8282 8210',
  mastercard_prepaid: '5105 1051 0510 5100',
  amex: '3714 496353 98431',
  amex_threeDSecureNotSupported: '3782 822463 10005',
  discover: '6011 1111 1111 1117',
  diners: '3056 9300 0902 0004',
  jcb: '3566 0020 2036 0505',
  unionpay: '6200 0000 0000 0005',
  chargeDeclined: '4000 0000 0000 0002',
  chargeDeclinedInsufficientFunds: '4000 0000 0000 9995',
  chargeDeclinedLostCard: '4000 0000 0000 9987',
  chargeDeclinedStolenCard: '4000 0000 0000 9979',
  chargeDeclinedExpiredCard: '4000 0000 0000 0069',
  chargeDeclinedIncorrectCvc: '4000 0000 0000 0127',
  chargeDeclinedProcessingError: '4000 0000 0000 0119',
  chargeDeclinedVelocityLimitExceeded: '4000 0000 0000 6975',
  chargeDeclinedFraudulent: '4100 0000 0000 0019',
  radarBlock: '4100 0000 0000 0019',
  riskLevelHighest: '4000 0000 0000 4954',
  chargeCustomerFail: '4000 0000 0000 0341',
  createDispute: '4000 0000 0000 0259',
  createDisputeProductNotReceived: '4000 0000 0000 2685',
  createDisputeInquiry: '4000 0000 0000 1976',
  authenticationRequiredOnSetup: '4000 0025 0000 3155',
  authenticationRequired: '4000 0027 6000 3184',
  authenticationRequiredSetupForOffSession: '4000 0038 0000 0446',
  authenticationRequiredChargeDeclined: '4000 0084 0000 1629',
  authenticationRequiredChargeDeclinedInsufficientFunds: '4000 0082 6000 3178',
  threeDSecureRequired: '4000 0000 0000 3220',
  threeDSecure2Required: '4000 0000 0000 3220',
  threeDSecureRequiredChargeDeclined: '4000 0084 0000 1629',
  threeDSecureOptional: '4000 0000 0000 3055',
}
const TEST_CARD_EXPIRY = { month: 12, year: 2034 }

/** A new, unattached payment method for a name such as `pm_card_visa`; undefined for other ids. Declined cards may name their brand. */
function createNamedCard(provider: Provider, id: string) {
  const name = /^(?:pm_card|tok)_(\w+)$/.exec(id)?.[1] ?? ''
  const card = findTestCard(TEST_CARD_NAMES[name] ?? TEST_CARD_NAMES[name.replace(/^visa_(?=charge)/, '')] ?? '')
  return card && savePaymentMethod(provider, buildSavedCard(card, TEST_CARD_EXPIRY, null))
}

/** The payment method for a request; each use of a test card's name creates a new one, as with Stripe. */
export function resolvePaymentMethod(provider: Provider, id: string, status = 400) {
  const method = provider.methods.get(id) ?? createNamedCard(provider, id)
  if (!method) throw missingObject('PaymentMethod', id, 'payment_method', status)
  return method
}

/** Saves a card for a customer; throws when the bank declines. */
export function attachPaymentMethod(provider: Provider, method: Stripe.PaymentMethod, customer: string) {
  if (method.customer === customer) return method
  if (method.customer !== null) throw new Problem('The payment method you provided has already been attached to a customer.')
  const known = findTestCardByLast4(method.card?.last4 ?? '')
  const fault = known && attachFault(known)
  if (fault) throw chargeError(fault)
  const attached: Stripe.PaymentMethod = { ...method, customer }
  provider.methods.set(method.id, attached)
  recordEvent(provider, 'payment_method.attached', attached)
  return attached
}

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/customers/:id/payment_methods', PaymentMethodQuery, (provider, paging, id) => {
    if (!findCustomer(provider, id)) throw missingObject('customer', id, 'customer')
    return paginate(listPaymentMethods(provider, id), paging, `/v1/customers/${id}/payment_methods`)
  }),
  endpoint('GET', PAYMENT_METHODS_PATH, AllPaymentMethodsQuery, (provider, { customer, type: _, ...paging }) => {
    const found = [...provider.methods.values()].filter((one) => (customer ? one.customer === customer : one.customer !== null))
    return paginate(found, paging, PAYMENT_METHODS_PATH)
  }),
  endpoint('POST', PAYMENT_METHODS_PATH, NewPaymentMethod, (provider, { card, billing_details, metadata }) => {
    const made = 'token' in card ? resolvePaymentMethod(provider, card.token) : createTypedCard(provider, card)
    return changePaymentMethod(provider, made, { billing_details, metadata })
  }),
  endpoint('GET', `${PAYMENT_METHODS_PATH}/:id`, NoInput, (provider, _, id) => getPaymentMethod(provider, id)),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id`, PaymentMethodChange, (provider, change, id) =>
    updatePaymentMethod(provider, getPaymentMethod(provider, id), change),
  ),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/attach`, AttachInput, (provider, { customer }, id) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    return attachPaymentMethod(provider, resolvePaymentMethod(provider, id, 404), customer)
  }),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/detach`, NoInput, (provider, _, id) => {
    const method = getPaymentMethod(provider, id)
    if (method.customer === null)
      throw new Problem('The payment method you provided is not attached to a customer so detachment is impossible.')
    const free = detachPaymentMethod(provider, method)
    recordEvent(provider, 'payment_method.detached', free, method)
    return free
  }),
]

type TypedCard = { number: string; exp_month: number; exp_year: number; cvc?: string | undefined }

/** Only test cards are accepted, so that nobody types a real number here. */
function createTypedCard(provider: Provider, { number, exp_month: month, exp_year: year, cvc }: TypedCard) {
  const card = findTestCard(number)
  if (!card)
    throw new Problem('Your card number is incorrect.', { status: 402, type: 'card_error', code: 'incorrect_number', param: 'number' })
  return savePaymentMethod(provider, { ...buildSavedCard(card, { month, year }, null), hasCvc: cvc !== undefined })
}

type PaymentMethodChange = z.output<typeof PaymentMethodChange>

function changePaymentMethod(provider: Provider, method: Stripe.PaymentMethod, { billing_details, card, metadata }: PaymentMethodChange) {
  const address = billing_details?.address && { ...NO_ADDRESS, ...method.billing_details.address, ...billing_details.address }
  const changed: Stripe.PaymentMethod = {
    ...method,
    billing_details: { ...method.billing_details, ...billing_details, address: address ?? method.billing_details.address },
    ...(card && method.card && { card: { ...method.card, ...card } }),
    metadata: mergeMetadata(method.metadata, metadata),
  }
  provider.methods.set(method.id, changed)
  return changed
}

function updatePaymentMethod(provider: Provider, method: Stripe.PaymentMethod, change: PaymentMethodChange) {
  if (method.customer === null)
    throw new Problem('You must save this PaymentMethod to a customer before you can update it.', { code: 'resource_missing' })
  const changed = changePaymentMethod(provider, method, change)
  recordEvent(provider, 'payment_method.updated', changed, method)
  return changed
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

const getPaymentMethod = ({ methods }: Provider, id: string) => {
  const method = methods.get(id)
  if (!method) throw missingObject('PaymentMethod', id, 'payment_method')
  return method
}
