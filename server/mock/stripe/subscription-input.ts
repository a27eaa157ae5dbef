import * as z from 'zod/mini'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { Int, Metadata } from './endpoint.ts'

const RecurringPriceData = z.strictObject({
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  unit_amount: Int,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  product: z.string(),
  recurring: z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) }),
})

/** Parameters of a subscription without a checkout, as tests create it. */
export const NewSubscription = z.strictObject({
  customer: z.string(),
  default_payment_method: z.optional(z.string()),
  off_session: z.optional(z.literal('true')),
  metadata: z.optional(Metadata),
  items: z.array(z.strictObject({ price_data: RecurringPriceData })).check(z.minLength(1), z.maxLength(20)),
})
