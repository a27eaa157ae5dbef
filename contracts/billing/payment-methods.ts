import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** A card as the payment provider describes it; never its number. */
export const PaymentMethod = z.object({
  id: z.string(),
  type: z.literal('card'),
  brand: z.string(),
  last4: z.string().check(z.regex(/^\d{4}$/)),
  exp_month: z.int().check(z.minimum(1), z.maximum(12)),
  exp_year: z.int(),
  is_default: z.boolean(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

const CardParams = z.object({ id: z.string() })

export const paymentMethods = {
  list: {
    method: 'GET',
    path: '/users/payment_methods/',
    summary: 'Lists the cards of the account, the default one first',
    access: rights.buy,
    response: { 200: z.array(PaymentMethod) },
    safety: 'read',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/users/payment_methods/:id/',
    summary: 'Makes a card the default one',
    access: rights.buy,
    params: CardParams,
    body: z.object({ is_default: z.literal(true) }),
    response: { 200: PaymentMethod },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/users/payment_methods/:id/',
    summary: 'Removes a card, unless it is the default one and pays a subscription that renews',
    access: rights.buy,
    params: CardParams,
    response: { 200: z.object({ id: z.string() }) },
    errors: ['in_use'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
