import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { findTestCardByLast4 } from './cards.ts'
import { Bool, endpoint, Metadata, NoInput } from './endpoint.ts'
import { missingObject } from './problem.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from './provider.ts'

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
