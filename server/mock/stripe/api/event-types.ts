import type Stripe from 'stripe'

/** The types of the events that the fake sends, by object. An endpoint cannot subscribe to others, which would never arrive. */
const VERBS = {
  'billing_portal.configuration': ['created'],
  'billing_portal.session': ['created'],
  charge: ['captured', 'failed', 'refunded', 'succeeded', 'updated'],
  'charge.dispute': ['closed', 'created', 'funds_reinstated', 'funds_withdrawn', 'updated'],
  'checkout.session': ['completed', 'expired'],
  customer: ['created', 'deleted', 'updated'],
  'customer.subscription': ['created', 'deleted', 'trial_will_end', 'updated'],
  invoice: [
    'created',
    'finalized',
    'marked_uncollectible',
    'paid',
    'payment_action_required',
    'payment_failed',
    'payment_succeeded',
    'updated',
    'voided',
  ],
  invoice_payment: ['paid'],
  invoiceitem: ['created'],
  payment_intent: ['amount_capturable_updated', 'canceled', 'created', 'payment_failed', 'requires_action', 'succeeded'],
  payment_method: ['attached', 'detached', 'updated'],
  price: ['created', 'updated'],
  product: ['created', 'deleted', 'updated'],
  refund: ['created', 'updated'],
  setup_intent: ['canceled', 'created', 'requires_action', 'setup_failed', 'succeeded'],
  tax_rate: ['created', 'updated'],
  'test_helpers.test_clock': ['advancing', 'created', 'deleted', 'ready'],
} as const

type Verbs = typeof VERBS

export type EventType = { [Kind in keyof Verbs]: `${Kind}.${Verbs[Kind][number]}` }[keyof Verbs] & Stripe.Event['type']

export const EVENT_TYPES: readonly EventType[] = Object.entries(VERBS).flatMap(([kind, verbs]) =>
  verbs.map((verb) => `${kind}.${verb}` as EventType),
)

/** Lists the events as a Markdown table with a row for each object. */
export const formatEventTable = () =>
  `| Object | Events |\n|---|---|\n${Object.entries(VERBS)
    .map(([kind, verbs]) => `| \`${kind}\` | ${verbs.map((verb) => `\`${verb}\``).join(', ')} |\n`)
    .join('')}`
