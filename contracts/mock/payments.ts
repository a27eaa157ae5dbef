import * as z from 'zod/mini'
import { DISPUTE_STATUSES } from '#contracts/billing/invoices.ts'
import { Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const CARDS = ['success', 'declined', 'insufficient', '3ds', 'renewal_fails'] as const
const CARD = `One of ${CARDS.join(', ')}, or the number of a test card`
const RENEWALS = ['success', 'declined', 'insufficient', '3ds'] as const

export const Webhooks = z.strictObject({
  /** Events are delivered immediately, on request, or never. */
  mode: z.enum(['auto', 'manual', 'off']),
  /** Instant by the clock of the world. */
  delay_ms: z.int().check(z.nonnegative(), z.maximum(30 * 86_400_000)),
  order: z.enum(['as_happened', 'reversed', 'shuffled']),
  /** Delivers each event twice. */
  duplicate: z.boolean(),
  /** Share of the events that are lost, drawn with the world's seed. */
  drop: z.number().check(z.minimum(0), z.maximum(1)),
  signature: z.enum(['valid', 'invalid', 'missing']),
})
export type Webhooks = z.infer<typeof Webhooks>

export const PaymentEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: Instant,
  state: z.enum(['waiting', 'delivered', 'refused', 'dropped']),
  deliveries: z.array(z.object({ at: Instant, status: z.int() })),
})
export type PaymentEvent = z.infer<typeof PaymentEvent>

const ById = z.object({ id: z.string() })
export const Checkout = z.object({
  status: z.string(),
  /** URL to which the buyer is redirected. */
  url: z.nullable(z.string()),
})
export const Charge = z.object({ outcome: z.enum(['paid', 'refused', 'asked']), fault: z.nullable(z.string()) })

const change = { access: 'public', safety: 'reversible', provenance: 'assumed' } as const

/** The payment provider of the request's world: checkouts, renewals and webhook events. */
export const payments = {
  complete: {
    ...change,
    method: 'POST',
    path: '/mock/payments/checkout/:id/complete',
    summary: `Pays an open checkout with a test card by number, or ${CARDS.join(', ')}; \`sca\` is what its owner says when the bank asks, yes unless it is said`,
    params: ById,
    body: z.strictObject({
      card: z.union([z.enum(CARDS), z.string().check(z.regex(/^[\d -]{12,23}$/, CARD))], CARD),
      sca: z._default(z.boolean(), true),
    }),
    response: { 200: z.extend(Charge, Checkout.shape) },
    errors: ['already_paid', 'expired'],
  },
  cancel: {
    ...change,
    method: 'POST',
    path: '/mock/payments/checkout/:id/cancel',
    summary: 'Goes back from a checkout, which stays open',
    params: ById,
    response: { 200: Checkout },
  },
  expire: {
    ...change,
    method: 'POST',
    path: '/mock/payments/checkout/:id/expire',
    summary: 'Expires an open checkout, as happens after a day',
    params: ById,
    response: { 200: Checkout },
    errors: ['already_paid', 'expired'],
  },
  renew: {
    ...change,
    method: 'POST',
    path: '/mock/payments/subscriptions/:id/renew',
    summary: "Renews a subscription now, whatever its card; accepts our id or the provider's",
    params: ById,
    body: z.strictObject({ outcome: z._default(z.enum(RENEWALS), 'success') }),
    response: { 200: z.extend(Charge, { invoice: z.string(), status: z.string() }) },
  },
  refund: {
    ...change,
    method: 'POST',
    path: '/mock/payments/invoices/:id/refund',
    summary: "Pays back what was paid for an invoice, or a part of it in minor units; accepts our id or the provider's",
    params: ById,
    body: z.strictObject({ amount: z.optional(z.int().check(z.positive())) }),
    response: { 200: z.object({ refunded: z.int(), amount: z.int() }) },
  },
  dispute: {
    ...change,
    method: 'POST',
    path: '/mock/payments/invoices/:id/dispute',
    summary: 'Lets the card holder dispute the payment of an invoice at the bank, or the bank decide: `lost` for the portal, or `won`',
    params: ById,
    body: z.strictObject({ outcome: z._default(z.enum(DISPUTE_STATUSES), 'open') }),
    response: { 200: z.object({ dispute: z.string(), status: z.string() }) },
  },
  webhooks: {
    ...change,
    method: 'GET',
    path: '/mock/payments/webhooks',
    summary: 'Returns how events are delivered to the webhook',
    response: { 200: Webhooks },
    safety: 'read',
  },
  setWebhooks: {
    ...change,
    method: 'PUT',
    path: '/mock/payments/webhooks',
    summary: 'Delivers events late, twice, shuffled, unsigned, on demand or not at all; omitted settings keep their value',
    body: z.partial(Webhooks),
    response: { 200: Webhooks },
  },
  events: {
    ...change,
    method: 'GET',
    path: '/mock/payments/events',
    summary: 'Lists the events of the provider, newest first, with the responses of the webhook',
    response: { 200: z.array(PaymentEvent) },
    safety: 'read',
  },
  deliver: {
    ...change,
    method: 'POST',
    path: '/mock/payments/events/:id/deliver',
    summary: 'Delivers an event, again if it was delivered before',
    params: ById,
    response: { 200: PaymentEvent },
  },
  flush: {
    ...change,
    method: 'POST',
    path: '/mock/payments/events/flush',
    summary: 'Delivers all waiting events',
    response: { 200: z.array(PaymentEvent) },
  },
} as const satisfies Contract
