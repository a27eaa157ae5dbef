import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject, Problem, refuseBoth, refuseUnlessConfirmed } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { checkCharge } from '#server/mock/stripe/api/money.ts'
import { Bool, Currency, Int, Link, Metadata, mergeMetadata, Text } from '#server/mock/stripe/api/parameters.ts'
import { findCustomer, type Provider } from '#server/mock/stripe/api/provider.ts'
import { captureCharge } from './charges.ts'
import { buildIntent, cancelIntent, confirmPaymentIntent, finish, getIntent, saveIntent } from './payment-intents.ts'
import { resolvePaymentMethod } from './payment-methods.ts'

const PATH = '/v1/payment_intents'
const Terms = {
  customer: z.optional(z.string()),
  description: z.optional(Text),
  metadata: z.optional(Metadata),
  payment_method: z.optional(z.string()),
  payment_method_types: z.optional(z.array(z.literal('card'))),
  receipt_email: z.optional(Text),
  setup_future_usage: z.optional(z.enum(['off_session', 'on_session'])),
  statement_descriptor: z.optional(Text),
  statement_descriptor_suffix: z.optional(Text),
}
const Confirming = { off_session: z.optional(Bool), return_url: z.optional(Link) }
const NewIntent = z.strictObject({
  ...Terms,
  ...Confirming,
  amount: Int,
  currency: Currency,
  automatic_payment_methods: z.optional(z.strictObject({ enabled: Bool, allow_redirects: z.optional(z.enum(['always', 'never'])) })),
  capture_method: z.optional(z.enum(['automatic', 'automatic_async', 'manual'])),
  confirm: z.optional(Bool),
})
const IntentChange = z.strictObject({ ...Terms, amount: z.optional(Int), currency: z.optional(Currency) })
const Confirmation = z.strictObject({
  ...Confirming,
  payment_method: z.optional(z.string()),
  receipt_email: z.optional(Text),
  setup_future_usage: Terms.setup_future_usage,
})
const Capture = z.strictObject({ amount_to_capture: z.optional(Int), metadata: z.optional(Metadata) })
const Cancellation = z.strictObject({
  cancellation_reason: z.optional(z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])),
})
const IntentQuery = z.strictObject({ ...Pagination, created: Created, customer: z.optional(z.string()) })
const ClientQuery = z.strictObject({ client_secret: z.optional(z.string()) })

export const paymentIntentEndpoints = [
  searchEndpoint(PATH, ({ paymentIntents }) => paymentIntents.values()),
  endpoint('POST', PATH, NewIntent, (provider, { confirm, off_session, return_url, ...input }) => {
    refuseUnlessConfirmed(confirm, { off_session, return_url })
    refuseBoth(input, ['automatic_payment_methods', 'payment_method_types'])
    const intent = createPaymentIntent(provider, input)
    return confirm ? confirmPaymentIntent(provider, intent, { isOffSession: off_session ?? false, returnUrl: return_url }) : intent
  }),
  endpoint('GET', PATH, IntentQuery, ({ paymentIntents }, { customer, created, ...paging }) => {
    const found = [...paymentIntents.values()].filter((one) => (!customer || one.customer === customer) && isCreatedWithin(one, created))
    return paginate(found, paging, PATH)
  }),
  endpoint('GET', `${PATH}/:id`, ClientQuery, (provider, { client_secret }, id) => {
    const intent = getIntent(provider, id)
    if (client_secret !== undefined && client_secret !== intent.client_secret)
      throw new Problem('The client_secret provided does not match the client_secret associated with the PaymentIntent.', {
        param: 'client_secret',
      })
    return intent
  }),
  endpoint('POST', `${PATH}/:id`, IntentChange, (provider, change, id) => {
    const intent = expectStatus(getIntent(provider, id), 'updated', ['requires_payment_method', 'requires_confirmation', 'requires_action'])
    if (isOfInvoice(provider, id) && (change.amount !== undefined || change.currency !== undefined))
      throw new Problem('The amount and the currency of a PaymentIntent that was created by an invoice cannot be changed.', {
        param: change.amount === undefined ? 'currency' : 'amount',
      })
    checkCharge(change.amount ?? intent.amount, change.currency ?? intent.currency)
    return saveIntent(provider, { ...intent, ...readTerms(provider, change, intent) })
  }),
  endpoint('POST', `${PATH}/:id/confirm`, Confirmation, (provider, { off_session, return_url, ...change }, id) => {
    const intent = expectStatus(getIntent(provider, id), 'confirmed', [
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
    ])
    const changed = saveIntent(provider, { ...intent, ...readTerms(provider, change, intent) })
    return confirmPaymentIntent(provider, changed, { isOffSession: off_session ?? false, returnUrl: return_url })
  }),
  endpoint('POST', `${PATH}/:id/capture`, Capture, (provider, { amount_to_capture, metadata }, id) => {
    const intent = expectStatus(getIntent(provider, id), 'captured', ['requires_capture'])
    const amount = amount_to_capture ?? intent.amount_capturable
    if (amount > intent.amount_capturable)
      throw new Problem(`The amount to capture is greater than the remaining amount (${intent.amount_capturable}).`, {
        code: 'amount_too_large',
        param: 'amount_to_capture',
      })
    captureCharge(provider, String(intent.latest_charge), amount)
    return finish(provider, { ...intent, amount_capturable: 0, metadata: mergeMetadata(intent.metadata, metadata) }, amount)
  }),
  endpoint('POST', `${PATH}/:id/cancel`, Cancellation, (provider, { cancellation_reason = null }, id) => {
    const intent = expectStatus(getIntent(provider, id), 'canceled', [
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
      'requires_capture',
    ])
    if (isOfInvoice(provider, id))
      throw new Problem('You cannot cancel this PaymentIntent because it was created by an invoice. Void the invoice instead.', {
        code: 'payment_intent_unexpected_state',
      })
    return cancelIntent(provider, intent, cancellation_reason)
  }),
]

type IntentTerms = Omit<z.output<typeof NewIntent>, 'confirm' | keyof typeof Confirming>

function createPaymentIntent(provider: Provider, input: IntentTerms) {
  if (input.amount < 1)
    throw new Problem('This value must be greater than or equal to 1.', { code: 'parameter_invalid_integer', param: 'amount' })
  checkCharge(input.amount, input.currency)
  const { automatic_payment_methods: automatic, capture_method = 'automatic_async' } = input
  const intent = buildIntent(provider, { ...input, capture_method })
  const saved = saveIntent(provider, {
    ...intent,
    ...readTerms(provider, input, intent),
    ...(!input.payment_method_types && {
      automatic_payment_methods: { allow_redirects: automatic?.allow_redirects ?? 'always', enabled: automatic?.enabled ?? true },
    }),
  })
  recordEvent(provider, 'payment_intent.created', saved)
  return saved
}

type Change = Partial<z.output<typeof IntentChange>>

/** The fields that a request changes; a new payment method has to be confirmed. */
function readTerms(provider: Provider, { metadata, payment_method, payment_method_types, ...rest }: Change, known: Stripe.PaymentIntent) {
  const method = payment_method === undefined ? undefined : resolvePaymentMethod(provider, payment_method)
  if (rest.customer !== undefined && !findCustomer(provider, rest.customer)) throw missingObject('customer', rest.customer, 'customer', 400)
  const customer = rest.customer ?? known.customer
  if (method?.customer && method.customer !== customer)
    throw new Problem('The provided PaymentMethod cannot be used with this PaymentIntent, because it belongs to another customer.', {
      param: 'payment_method',
    })
  return {
    ...rest,
    metadata: mergeMetadata(known.metadata, metadata),
    ...(payment_method_types && { payment_method_types, automatic_payment_methods: null }),
    ...(method && { payment_method: method.id, status: 'requires_confirmation' as const, next_action: null }),
  }
}

const isOfInvoice = ({ invoicePayments }: Provider, id: string) => [...invoicePayments.values()].includes(id)

function expectStatus(intent: Stripe.PaymentIntent, verb: string, allowed: readonly Stripe.PaymentIntent.Status[]) {
  if (allowed.includes(intent.status)) return intent
  throw new Problem(`This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment: { payment_intent: intent },
  })
}
