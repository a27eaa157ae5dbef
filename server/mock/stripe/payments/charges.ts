import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { type ChargeFault, chargeError, findTestCardByLast4 } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Int, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { openDispute } from './disputes.ts'

type ChargeFacts = { method: Stripe.PaymentMethod | null; fault: ChargeFault | null; isCaptured: boolean }

/** Records an attempt to charge a payment intent, successful or not, with its event. */
export function saveCharge(provider: Provider, intent: Stripe.PaymentIntent, { method, fault, isCaptured }: ChargeFacts): Stripe.Charge {
  const failure = fault && chargeError(fault)
  const charge: Stripe.Charge = {
    ...UNUSED_CHARGE_FIELDS,
    id: createId(provider, 'ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: !fault && isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method?.billing_details ?? { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: intent.statement_descriptor,
    captured: !fault && isCaptured,
    created: nowInSeconds(provider),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: failure ? (failure.details.code ?? null) : null,
    failure_message: failure ? failure.message : null,
    metadata: intent.metadata,
    outcome: buildOutcome(failure),
    paid: !fault,
    payment_intent: intent.id,
    payment_method: method?.id ?? null,
    payment_method_details: buildMethodDetails(intent, method),
    receipt_email: intent.receipt_email,
    refunded: false,
    shipping: intent.shipping,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: fault ? 'failed' : 'succeeded',
  }
  provider.charges.set(charge.id, charge)
  recordEvent(provider, fault ? 'charge.failed' : 'charge.succeeded', charge)
  const dispute = findTestCardByLast4(method?.card?.last4 ?? '')?.dispute
  if (charge.captured && dispute) openDispute(provider, charge, dispute)
  return charge
}

const buildOutcome = (failure: Problem | null): Stripe.Charge.Outcome => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: failure ? 'declined_by_network' : 'approved_by_network',
  reason: failure ? (failure.details.decline_code ?? failure.details.code ?? null) : null,
  risk_level: 'normal',
  risk_score: 20,
  seller_message: failure ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
  type: failure ? 'issuer_declined' : 'authorized',
})

function buildMethodDetails({ amount }: Stripe.PaymentIntent, method: Stripe.PaymentMethod | null): Stripe.Charge.PaymentMethodDetails {
  const {
    brand = 'visa',
    checks = null,
    country = 'US',
    exp_month = 12,
    exp_year = 2034,
    funding = 'credit',
    last4 = '4242',
  } = method?.card ?? {}
  return {
    type: 'card',
    card: {
      ...UNUSED_CARD_FIELDS,
      amount_authorized: amount,
      brand,
      checks,
      country,
      exp_month,
      exp_year,
      funding,
      last4,
      network: brand,
    },
  }
}

export function captureCharge(provider: Provider, id: string, amount: number) {
  const charge = getCharge(provider, id)
  const captured: Stripe.Charge = { ...charge, amount_captured: amount, captured: true }
  provider.charges.set(id, captured)
  recordEvent(provider, 'charge.captured', captured)
}

const CHARGES_PATH = '/v1/charges'
const REFUNDS_PATH = '/v1/refunds'
const ChargeQuery = z.strictObject({
  ...Pagination,
  created: Created,
  customer: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
})
const ChargeChange = z.strictObject({ description: z.optional(Text), metadata: z.optional(Metadata), receipt_email: z.optional(Text) })
const RefundQuery = z.strictObject({
  ...Pagination,
  created: Created,
  charge: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
})
const NewRefund = z.strictObject({
  amount: z.optional(Int),
  charge: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
  metadata: z.optional(Metadata),
  reason: z.optional(z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])),
})
const MetadataOnly = z.strictObject({ metadata: z.optional(Metadata) })

export const chargeEndpoints = [
  searchEndpoint(CHARGES_PATH, ({ charges }) => charges.values()),
  endpoint('GET', CHARGES_PATH, ChargeQuery, ({ charges }, { customer, payment_intent, created, ...paging }) => {
    const found = [...charges.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (!payment_intent || one.payment_intent === payment_intent) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, CHARGES_PATH)
  }),
  endpoint('GET', `${CHARGES_PATH}/:id`, NoInput, (provider, _, id) => getCharge(provider, id)),
  endpoint('POST', `${CHARGES_PATH}/:id`, ChargeChange, (provider, { metadata, ...change }, id) => {
    const charge = getCharge(provider, id)
    const changed: Stripe.Charge = { ...charge, ...change, metadata: mergeMetadata(charge.metadata, metadata) }
    provider.charges.set(id, changed)
    recordEvent(provider, 'charge.updated', changed, charge)
    return changed
  }),
]

export const refundEndpoints = [
  endpoint('POST', REFUNDS_PATH, NewRefund, createRefund),
  endpoint('GET', REFUNDS_PATH, RefundQuery, ({ refunds }, { charge, payment_intent, created, ...paging }) => {
    const found = [...refunds.values()].filter(
      (one) =>
        (!charge || one.charge === charge) && (!payment_intent || one.payment_intent === payment_intent) && isCreatedWithin(one, created),
    )
    return paginate(found, paging, REFUNDS_PATH)
  }),
  endpoint('GET', `${REFUNDS_PATH}/:id`, NoInput, (provider, _, id) => getRefund(provider, id)),
  endpoint('POST', `${REFUNDS_PATH}/:id`, MetadataOnly, (provider, { metadata }, id) => {
    const refund = getRefund(provider, id)
    const changed: Stripe.Refund = { ...refund, metadata: mergeMetadata(refund.metadata, metadata) }
    provider.refunds.set(id, changed)
    recordEvent(provider, 'refund.updated', changed, refund)
    return changed
  }),
]

export function createRefund(
  provider: Provider,
  { charge: chargeId, payment_intent, amount, metadata, reason }: z.output<typeof NewRefund>,
) {
  const charge = findCharge(provider, chargeId, payment_intent)
  if (payment_intent !== undefined && charge.payment_intent !== payment_intent)
    throw new Problem(`The charge ${charge.id} does not belong to the PaymentIntent ${payment_intent}.`, { param: 'payment_intent' })
  const left = charge.amount_captured - charge.amount_refunded
  if (charge.refunded) throw new Problem(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (isDisputed(provider, charge))
    throw new Problem(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (!charge.captured) throw new Problem(`Charge ${charge.id} has not been captured, so it cannot be refunded.`)
  const sum = amount ?? left
  if (sum < 1) throw new Problem('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' })
  if (sum > left)
    throw new Problem(`Refund amount (${sum}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
      code: 'amount_too_large',
    })
  const refund: Stripe.Refund = {
    id: createId(provider, 're'),
    object: 'refund',
    amount: sum,
    balance_transaction: null,
    charge: charge.id,
    created: nowInSeconds(provider),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  provider.refunds.set(refund.id, refund)
  const refunded: Stripe.Charge = { ...charge, amount_refunded: charge.amount_refunded + sum, refunded: sum === left }
  provider.charges.set(charge.id, refunded)
  recordEvent(provider, 'charge.refunded', refunded, charge)
  recordEvent(provider, 'refund.created', refund)
  return refund
}

/** The bank holds or has paid back the money of a disputed charge; an inquiry leaves it. */
const isDisputed = ({ disputes }: Provider, { id }: Stripe.Charge) =>
  [...disputes.values()].some(({ charge, status }) => charge === id && status !== 'won' && !status.startsWith('warning'))

function findCharge(provider: Provider, charge: string | undefined, payment: string | undefined) {
  if (charge !== undefined) return getCharge(provider, charge, 'charge', 400)
  if (payment === undefined) throw new Problem('One of the following params should be provided for this request: payment_intent or charge.')
  const intent = provider.paymentIntents.get(payment)
  if (!intent) throw missingObject('payment_intent', payment, 'payment_intent', 400)
  if (intent.status !== 'succeeded')
    throw new Problem(`This PaymentIntent (${payment}) does not have a successful charge to refund.`, { param: 'payment_intent' })
  return getCharge(provider, String(intent.latest_charge))
}

function getCharge({ charges }: Provider, id: string, param = 'id', status = 404) {
  const charge = charges.get(id)
  if (!charge) throw missingObject('charge', id, param, status)
  return charge
}

function getRefund({ refunds }: Provider, id: string) {
  const refund = refunds.get(id)
  if (!refund) throw missingObject('refund', id)
  return refund
}

const UNUSED_CHARGE_FIELDS = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>

const UNUSED_CARD_FIELDS = {
  authorization_code: null,
  electronic_commerce_indicator: null,
  incremental_authorization: { status: 'unavailable' },
  installments: null,
  mandate: null,
  multicapture: { status: 'unavailable' },
  network_token: { used: false },
  network_transaction_id: null,
  overcapture: { maximum_amount_capturable: 0, status: 'unavailable' },
  regulated_status: 'unregulated',
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
} satisfies Partial<Stripe.Charge.PaymentMethodDetails.Card>
