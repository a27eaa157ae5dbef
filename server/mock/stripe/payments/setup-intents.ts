import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { attachFault, chargeError, findTestCardByLast4 } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem, refuseBoth, refuseUnlessConfirmed } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Bool, Link, Metadata, mergeMetadata, NoInput } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { isAsked, nextAction } from './payment-intents.ts'
import { attachPaymentMethod, resolvePaymentMethod } from './payment-methods.ts'

const PATH = '/v1/setup_intents'
const NewSetupIntent = z.strictObject({
  customer: z.optional(z.string()),
  payment_method: z.optional(z.string()),
  usage: z.optional(z.enum(['off_session', 'on_session'])),
  confirm: z.optional(Bool),
  return_url: z.optional(Link),
  payment_method_types: z.optional(z.array(z.literal('card'))),
  automatic_payment_methods: z.optional(z.strictObject({ enabled: Bool, allow_redirects: z.optional(z.enum(['always', 'never'])) })),
  metadata: z.optional(Metadata),
})
const Confirmation = z.strictObject({ payment_method: z.optional(z.string()), return_url: z.optional(Link) })
const SetupIntentQuery = z.strictObject({ ...Pagination, customer: z.optional(z.string()), payment_method: z.optional(z.string()) })

/** Set-up of a card for later payments. The bank's confirmation is a page of the fake. */
export const setupIntentEndpoints = [
  endpoint(
    'POST',
    PATH,
    NewSetupIntent,
    (provider, { customer = null, payment_method, usage = 'off_session', confirm, return_url, metadata, ...ways }) => {
      refuseUnlessConfirmed(confirm, { return_url })
      refuseBoth(ways, ['automatic_payment_methods', 'payment_method_types'])
      if (customer !== null && !findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
      const id = createId(provider, 'seti')
      const intent: Stripe.SetupIntent = {
        ...UNUSED_INTENT_FIELDS,
        id,
        object: 'setup_intent',
        client_secret: `${id}_secret_test`,
        created: nowInSeconds(provider),
        customer,
        livemode: false,
        metadata: mergeMetadata({}, metadata),
        payment_method: payment_method === undefined ? null : resolvePaymentMethod(provider, payment_method).id,
        automatic_payment_methods: ways.payment_method_types
          ? null
          : { allow_redirects: 'always', enabled: true, ...ways.automatic_payment_methods },
        payment_method_types: ['card'],
        status: payment_method === undefined ? 'requires_payment_method' : 'requires_confirmation',
        usage,
      }
      saveSetupIntent(provider, intent)
      recordEvent(provider, 'setup_intent.created', intent)
      return confirm ? confirmIntent(provider, intent, return_url) : intent
    },
  ),
  endpoint('GET', PATH, SetupIntentQuery, ({ setupIntents }, { customer, payment_method, ...paging }) => {
    const found = [...setupIntents.values()].filter(
      (one) => (!customer || one.customer === customer) && (!payment_method || one.payment_method === payment_method),
    )
    return paginate(found, paging, PATH)
  }),
  endpoint('GET', `${PATH}/:id`, NoInput, (provider, _, id) => getSetupIntent(provider, id)),
  endpoint('POST', `${PATH}/:id/confirm`, Confirmation, (provider, { payment_method, return_url }, id) => {
    const intent = getSetupIntent(provider, id)
    const method = payment_method === undefined ? intent.payment_method : resolvePaymentMethod(provider, payment_method).id
    return confirmIntent(provider, { ...intent, payment_method: method }, return_url)
  }),
  endpoint('POST', `${PATH}/:id/cancel`, NoInput, (provider, _, id) => {
    const canceled = saveSetupIntent(provider, { ...getSetupIntent(provider, id), status: 'canceled', next_action: null })
    recordEvent(provider, 'setup_intent.canceled', canceled)
    return canceled
  }),
]

function confirmIntent(provider: Provider, intent: Stripe.SetupIntent, returnUrl: string | undefined): Stripe.SetupIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (!method || (method.customer !== null && method.customer !== intent.customer))
    throw missingObject('PaymentMethod', String(intent.payment_method), 'payment_method', 400)
  const known = findTestCardByLast4(method.card?.last4 ?? '')
  const fault = known && attachFault(known)
  if (fault) {
    const problem = chargeError(fault)
    const { status: _, type: __, payment: ___, ...reason } = problem.details
    const last = { ...reason, message: problem.message, payment_method: method, type: 'card_error' } as Stripe.SetupIntent.LastSetupError
    const failed = saveSetupIntent(provider, { ...intent, last_setup_error: last, payment_method: null, status: 'requires_payment_method' })
    recordEvent(provider, 'setup_intent.setup_failed', failed)
    throw new Problem(problem.message, { ...problem.details, payment: { setup_intent: failed, payment_method: method } })
  }
  if (isAsked(provider, method)) {
    const next_action = nextAction(provider, intent.id, returnUrl) as Stripe.SetupIntent.NextAction
    const asking = saveSetupIntent(provider, { ...intent, next_action, status: 'requires_action' })
    recordEvent(provider, 'setup_intent.requires_action', asking)
    return asking
  }
  return completeIntent(provider, intent, method)
}

function completeIntent(provider: Provider, intent: Stripe.SetupIntent, method: Stripe.PaymentMethod) {
  if (typeof intent.customer === 'string') attachPaymentMethod(provider, method, intent.customer)
  provider.setUpCards.add(method.id)
  const done = saveSetupIntent(provider, { ...intent, next_action: null, last_setup_error: null, status: 'succeeded' })
  recordEvent(provider, 'setup_intent.succeeded', done)
  return done
}

/** Completes the confirmation of a card with the cardholder's answer. */
export function answerSetupIntent(provider: Provider, intent: Stripe.SetupIntent, isOwner: boolean): Stripe.SetupIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (intent.status !== 'requires_action' || !method) return intent
  if (isOwner) return completeIntent(provider, intent, method)
  const failed = saveSetupIntent(provider, {
    ...intent,
    last_setup_error: {
      code: 'setup_intent_authentication_failure',
      message: 'The provided PaymentMethod has failed authentication. Try again with another one.',
      payment_method: method,
      type: 'card_error',
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  })
  recordEvent(provider, 'setup_intent.setup_failed', failed)
  return failed
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
