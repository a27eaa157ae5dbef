import * as z from 'zod/mini'
import { INTERVALS, LANGUAGES, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { Bool, Int, Metadata } from './endpoint.ts'
import { Pagination } from './list.ts'

const Link = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })

const PriceData = z.strictObject({
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  unit_amount: Int,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  recurring: z.optional(z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) })),
  product: z.optional(z.string()),
  product_data: z.optional(z.strictObject({ name: z.string().check(z.minLength(1)), metadata: z.optional(Metadata) })),
})

/** The part of Stripe's parameters that the portal uses: purchases with inline prices. Others are rejected. */
export const CheckoutInput = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  success_url: Link,
  cancel_url: z.optional(Link),
  customer: z.optional(z.string()),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  locale: z.optional(z.enum(['auto', ...LANGUAGES])),
  metadata: z.optional(Metadata),
  subscription_data: z.optional(
    z.strictObject({ metadata: z.optional(Metadata), description: z.optional(z.string().check(z.maxLength(500))) }),
  ),
  invoice_creation: z.optional(z.strictObject({ enabled: Bool })),
  custom_text: z.optional(z.strictObject({ submit: z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(1200)) }) })),
  line_items: z.array(z.strictObject({ quantity: Int, price_data: PriceData })).check(z.minLength(1), z.maxLength(100)),
})
export type CheckoutInput = z.infer<typeof CheckoutInput>

export const CheckoutSessionQuery = z.strictObject({
  ...Pagination,
  customer: z.optional(z.string()),
  status: z.optional(z.enum(['open', 'complete', 'expired'])),
})
