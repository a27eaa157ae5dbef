import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { cardOfLast4 } from './cards.ts'
import { Bool, endpoint, Metadata, Nothing } from './endpoint.ts'
import { missing } from './problem.ts'
import { liveCustomer, newId, type Provider, secondsNow } from './provider.ts'

const PATH = '/v1/setup_intents'
const New = z.strictObject({
  customer: z.string(),
  payment_method: z.optional(z.string()),
  usage: z.optional(z.enum(['off_session', 'on_session'])),
  confirm: z.optional(Bool),
  payment_method_types: z.optional(z.array(z.literal('card'))),
  metadata: z.optional(Metadata),
})
const Confirmation = z.strictObject({ payment_method: z.optional(z.string()) })

/** Set-up of a card for later payments. A confirmation by the bank happens on the portal's own page. */
export const setupIntentEndpoints = [
  endpoint('POST', PATH, New, (provider, { customer, payment_method: method = null, usage = 'off_session', confirm, metadata = {} }) => {
    if (!liveCustomer(provider, customer)) throw missing('customer', customer, 'customer', 400)
    const id = newId(provider, 'seti')
    const intent: Stripe.SetupIntent = {
      ...unused,
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret`,
      created: secondsNow(provider),
      customer,
      livemode: false,
      metadata,
      payment_method: method,
      payment_method_types: ['card'],
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      usage,
    }
    return keep(provider, confirm ? confirmed(provider, intent) : intent)
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id/confirm`, Confirmation, (provider, { payment_method }, id) => {
    const intent = find(provider, id)
    return keep(provider, confirmed(provider, { ...intent, payment_method: payment_method ?? intent.payment_method }))
  }),
  endpoint('POST', `${PATH}/:id/cancel`, Nothing, (provider, _, id) => keep(provider, { ...find(provider, id), status: 'canceled' })),
]

function confirmed(provider: Provider, intent: Stripe.SetupIntent): Stripe.SetupIntent {
  const method = provider.methods.get(String(intent.payment_method))
  if (!method || method.customer !== intent.customer) throw missing('PaymentMethod', String(intent.payment_method), 'payment_method', 400)
  if ((cardOfLast4(method.card?.last4 ?? '')?.asks ?? 'never') !== 'never') return { ...intent, status: 'requires_action' }
  provider.setUp.add(method.id)
  return { ...intent, status: 'succeeded' }
}

const find = ({ setupIntents }: Provider, id: string) => {
  const intent = setupIntents.get(id)
  if (!intent) throw missing('setupintent', id, 'intent')
  return intent
}

function keep({ setupIntents }: Provider, intent: Stripe.SetupIntent) {
  setupIntents.set(intent.id, intent)
  return intent
}

const unused = {
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
