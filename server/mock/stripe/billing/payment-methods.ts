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
import { Bool, endpoint, Metadata, missingObject, NoInput, Pagination, Problem, paginate } from '#server/mock/stripe/api/endpoint.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'

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

const PAYMENT_METHODS_PATH = '/v1/payment_methods'
const PaymentMethodQuery = z.strictObject({ ...Pagination, type: z.optional(z.literal('card')) })
const AttachInput = z.strictObject({ customer: z.string() })

/** Stripe's ids for test cards, which can be attached without a form. */
const TEST_CARD_IDS: Record<string, string> = {
  pm_card_visa: '4242 4242 4242 4242',
  pm_card_chargeDeclined: '4000 0000 0000 0002',
  pm_card_chargeCustomerFail: '4000 0000 0000 0341',
  pm_card_authenticationRequiredOnSetup: '4000 0025 0000 3155',
  pm_card_authenticationRequired: '4000 0027 6000 3184',
}
const TEST_CARD_EXPIRY = { month: 12, year: 2034 }

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/customers/:id/payment_methods', PaymentMethodQuery, (provider, paging, id) => {
    if (!findCustomer(provider, id)) throw missingObject('customer', id, 'customer')
    return paginate(listPaymentMethods(provider, id), paging, `/v1/customers/${id}/payment_methods`)
  }),
  endpoint('GET', `${PAYMENT_METHODS_PATH}/:id`, NoInput, (provider, _, id) => getPaymentMethod(provider, id)),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/attach`, AttachInput, (provider, { customer }, id) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    const card = findTestCard(TEST_CARD_IDS[id] ?? '')
    if (!card) throw missingObject('PaymentMethod', id, 'payment_method')
    const fault = attachFault(card)
    if (fault) throw chargeError(fault)
    return savePaymentMethod(provider, buildSavedCard(card, TEST_CARD_EXPIRY, customer))
  }),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/detach`, NoInput, (provider, _, id) => {
    const method = getPaymentMethod(provider, id)
    if (method.customer === null)
      throw new Problem('The payment method you provided is not attached to a customer so detachment is impossible.')
    return detachPaymentMethod(provider, method)
  }),
]

const getPaymentMethod = ({ methods }: Provider, id: string) => {
  const method = methods.get(id)
  if (!method) throw missingObject('PaymentMethod', id, 'payment_method')
  return method
}

const SETUP_INTENTS_PATH = '/v1/setup_intents'
const NewSetupIntent = z.strictObject({
  customer: z.string(),
  payment_method: z.optional(z.string()),
  usage: z.optional(z.enum(['off_session', 'on_session'])),
  confirm: z.optional(Bool),
  payment_method_types: z.optional(z.array(z.literal('card'))),
  metadata: z.optional(Metadata),
})
const SetupIntentConfirmation = z.strictObject({ payment_method: z.optional(z.string()) })

/** Set-up of a card for later payments. A confirmation by the bank happens on the portal's own page. */
export const setupIntentEndpoints = [
  endpoint(
    'POST',
    SETUP_INTENTS_PATH,
    NewSetupIntent,
    (provider, { customer, payment_method: method = null, usage = 'off_session', confirm, metadata = {} }) => {
      if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
      const id = createId(provider, 'seti')
      const intent: Stripe.SetupIntent = {
        ...UNUSED_INTENT_FIELDS,
        id,
        object: 'setup_intent',
        client_secret: `${id}_secret`,
        created: nowInSeconds(provider),
        customer,
        livemode: false,
        metadata,
        payment_method: method,
        payment_method_types: ['card'],
        status: method ? 'requires_confirmation' : 'requires_payment_method',
        usage,
      }
      return saveSetupIntent(provider, confirm ? confirmIntent(provider, intent) : intent)
    },
  ),
  endpoint('GET', `${SETUP_INTENTS_PATH}/:id`, NoInput, (provider, _, id) => getSetupIntent(provider, id)),
  endpoint('POST', `${SETUP_INTENTS_PATH}/:id/confirm`, SetupIntentConfirmation, (provider, { payment_method }, id) => {
    const intent = getSetupIntent(provider, id)
    return saveSetupIntent(provider, confirmIntent(provider, { ...intent, payment_method: payment_method ?? intent.payment_method }))
  }),
  endpoint('POST', `${SETUP_INTENTS_PATH}/:id/cancel`, NoInput, (provider, _, id) =>
    saveSetupIntent(provider, { ...getSetupIntent(provider, id), status: 'canceled' }),
  ),
]

function confirmIntent(provider: Provider, intent: Stripe.SetupIntent): Stripe.SetupIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (!method || method.customer !== intent.customer)
    throw missingObject('PaymentMethod', String(intent.payment_method), 'payment_method', 400)
  if ((findTestCardByLast4(method.card?.last4 ?? '')?.asks ?? 'never') !== 'never') return { ...intent, status: 'requires_action' }
  provider.setUpCards.add(method.id)
  return { ...intent, status: 'succeeded' }
}

const getSetupIntent = ({ setupIntents }: Provider, id: string) => {
  const intent = setupIntents.get(id)
  if (!intent) throw missingObject('setupintent', id, 'intent')
  return intent
}

function saveSetupIntent({ setupIntents }: Provider, intent: Stripe.SetupIntent) {
  setupIntents.set(intent.id, intent)
  return intent
}

const UNUSED_INTENT_FIELDS = {
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: null,
  cancellation_reason: null,
  description: null,
  excluded_payment_method_types: null,
  last_setup_error: null,
  latest_attempt: null,
  mandate: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  single_use_mandate: null,
} satisfies Partial<Stripe.SetupIntent>
