import type Stripe from 'stripe'
import { type ChargeFault, chargeError, findTestCardByLast4, hasExpired } from '#server/mock/stripe/api/cards.ts'
import { missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { createId, nowInSeconds, PAGES_PATH, type Provider } from '#server/mock/stripe/api/provider.ts'
import { saveCharge } from './charges.ts'
import { attachPaymentMethod, chargeFault } from './payment-methods.ts'

type How = { isOffSession: boolean; returnUrl?: string | undefined }

/**
 * Charges the payment method, also for the invoice of the intent. Throws Stripe's error when declined; if the bank requires confirmation,
 * the intent becomes `requires_action`.
 */
export function confirmPaymentIntent(
  provider: Provider,
  intent: Stripe.PaymentIntent,
  { isOffSession, returnUrl }: How,
): Stripe.PaymentIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (!method)
    throw new Problem(
      "You cannot confirm this PaymentIntent because it's missing a payment method. Update it with one, or confirm it with one.",
      { code: 'payment_intent_unexpected_state', payment: { payment_intent: intent } },
    )
  if (!isOffSession && isAsked(provider, method)) return passOn(provider, askOwner(provider, intent, returnUrl))
  return chargeAndPassOn(provider, intent, method, isOffSession ? chargeFault(provider, method) : onSessionFault(provider, method))
}

/** Requests the cardholder's confirmation of a payment at the bank. */
export function askOwner(provider: Provider, intent: Stripe.PaymentIntent, returnUrl?: string) {
  const asking = saveIntent(provider, { ...intent, status: 'requires_action', next_action: nextAction(provider, intent.id, returnUrl) })
  recordEvent(provider, 'payment_intent.requires_action', asking)
  return asking
}

function passOn(provider: Provider, intent: Stripe.PaymentIntent) {
  provider.onPayment(intent)
  return intent
}

function chargeAndPassOn(provider: Provider, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, fault: ChargeFault | null) {
  try {
    return passOn(provider, chargeIntent(provider, intent, method, fault))
  } catch (problem) {
    passOn(provider, getIntent(provider, intent.id))
    throw problem
  }
}

/** Charges a card with the given outcome; null is one typed into a page and not saved. Throws Stripe's error when declined. */
export function chargeIntent(
  provider: Provider,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod | null,
  fault: ChargeFault | null,
) {
  const isCaptured = intent.capture_method !== 'manual'
  const { id: latest_charge } = saveCharge(provider, intent, { method, fault, isCaptured })
  if (fault) throw refuse(provider, { ...intent, latest_charge }, method, chargeError(fault))
  if (method && intent.setup_future_usage && typeof intent.customer === 'string') {
    attachPaymentMethod(provider, method, intent.customer)
    if (intent.setup_future_usage === 'off_session') provider.setUpCards.add(method.id)
  }
  const paid = { ...intent, latest_charge, payment_method: method?.id ?? null, next_action: null, last_payment_error: null }
  if (isCaptured) return finish(provider, paid, intent.amount)
  const held = saveIntent(provider, { ...paid, amount_capturable: intent.amount, status: 'requires_capture' })
  recordEvent(provider, 'payment_intent.amount_capturable_updated', held)
  return held
}

export function finish(provider: Provider, intent: Stripe.PaymentIntent, amount: number) {
  const done = saveIntent(provider, { ...intent, amount_received: amount, status: 'succeeded' })
  recordEvent(provider, 'payment_intent.succeeded', done)
  return done
}

/** Saves the decline in the intent and returns its error, which also contains intent and payment method. */
function refuse(provider: Provider, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod | null, problem: Problem) {
  const { code, decline_code } = problem.details
  const failed = saveIntent(provider, {
    ...intent,
    last_payment_error: {
      ...(code && { code: code as Stripe.PaymentIntent.LastPaymentError.Code }),
      ...(decline_code && { decline_code }),
      message: problem.message,
      ...(method && { payment_method: method }),
      type: 'card_error',
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  })
  recordEvent(provider, 'payment_intent.payment_failed', failed)
  const payment = { charge: String(intent.latest_charge), payment_intent: failed, ...(method && { payment_method: method }) }
  return new Problem(problem.message, { ...problem.details, payment })
}

const testCardOf = ({ card }: Stripe.PaymentMethod) => findTestCardByLast4(card?.last4 ?? '')

export function isAsked({ setUpCards }: Provider, method: Stripe.PaymentMethod) {
  const asks = testCardOf(method)?.asks ?? 'never'
  return asks === 'always' || asks === 'on_session' || (asks === 'until_set_up' && !setUpCards.has(method.id))
}

function onSessionFault(provider: Provider, method: Stripe.PaymentMethod): ChargeFault | null {
  if (method.card && hasExpired(provider, { month: method.card.exp_month, year: method.card.exp_year })) return 'expired_card'
  return testCardOf(method)?.fault ?? null
}

/** Where the cardholder confirms: with a `return_url` the shop redirects to the page, without one Stripe.js would open it. */
export const nextAction = ({ origin }: Provider, id: string, returnUrl: string | undefined) => {
  const url = `${origin}${PAGES_PATH}/authenticate/${id}`
  return returnUrl === undefined
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
    : { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
}

/** Completes the confirmation of a payment with the cardholder's answer. */
export function answerPaymentIntent(provider: Provider, intent: Stripe.PaymentIntent, isOwner: boolean): Stripe.PaymentIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (intent.status !== 'requires_action' || !method) return intent
  try {
    if (isOwner) return chargeAndPassOn(provider, intent, method, onSessionFault(provider, method))
    refuse(provider, intent, method, AUTHENTICATION_FAILED)
    return passOn(provider, getIntent(provider, intent.id))
  } catch (error) {
    if (error instanceof Problem) return getIntent(provider, intent.id)
    throw error
  }
}

const AUTHENTICATION_FAILED = new Problem('The provided PaymentMethod has failed authentication. Try again with another one.', {
  code: 'payment_intent_authentication_failure',
})

/** Cancels the intent of a voided invoice. */
export function cancelIntent(provider: Provider, intent: Stripe.PaymentIntent, reason: Stripe.PaymentIntent.CancellationReason | null) {
  const canceled = saveIntent(provider, {
    ...intent,
    amount_capturable: 0,
    canceled_at: nowInSeconds(provider),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  })
  recordEvent(provider, 'payment_intent.canceled', canceled)
  return canceled
}

/** Saves an intent for money that a checkout has already taken, so that it can be found and refunded. */
export function recordPayment(
  provider: Provider,
  { amount, currency, customer, method, description = null, metadata = {} }: PaymentFacts,
): Stripe.PaymentIntent {
  const intent = {
    ...buildIntent(provider, { amount, currency, capture_method: 'automatic' }),
    customer,
    description,
    metadata,
    payment_method: method?.id ?? null,
  }
  const { id: latest_charge } = saveCharge(provider, intent, { method, fault: null, isCaptured: true })
  return finish(provider, { ...intent, latest_charge }, amount)
}

type PaymentFacts = {
  amount: number
  currency: string
  customer: string | null
  method: Stripe.PaymentMethod | null
  description?: string | null
  metadata?: Stripe.Metadata
}

export function buildIntent(
  provider: Provider,
  { amount, currency, capture_method }: Pick<Stripe.PaymentIntent, 'amount' | 'currency' | 'capture_method'>,
): Stripe.PaymentIntent {
  const id = createId(provider, 'pi')
  return {
    ...UNUSED_INTENT_FIELDS,
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    capture_method,
    client_secret: `${id}_secret_test`,
    created: nowInSeconds(provider),
    currency,
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  }
}

export function saveIntent({ paymentIntents }: Provider, intent: Stripe.PaymentIntent) {
  paymentIntents.set(intent.id, intent)
  return intent
}

export function getIntent({ paymentIntents }: Provider, id: string) {
  const intent = paymentIntents.get(id)
  if (!intent) throw missingObject('payment_intent', id, 'intent')
  return intent
}

const UNUSED_INTENT_FIELDS = {
  allowed_payment_method_types: null,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>
