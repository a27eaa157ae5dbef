import type Stripe from 'stripe'
import * as z from 'zod/mini'

export const NoInput = z.strictObject({})

/** Stripe's form encoding carries numbers and booleans as text. */
export const Int = z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/, 'must be an integer')), z.transform(Number))
export const Bool = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)
/** An empty text removes a value, or all of them. */
export const Metadata = z.union([z.literal(''), z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)))])
type MetadataChange = z.output<typeof Metadata> | undefined

export const mergeMetadata = (known: Stripe.Metadata | null, change: MetadataChange): Stripe.Metadata =>
  change === '' ? {} : Object.fromEntries(Object.entries({ ...known, ...change }).filter(([, value]) => value !== ''))

/** A text that an empty one removes. */
export const Text = z.pipe(
  z.string().check(z.maxLength(5000)),
  z.transform((text) => text || null),
)
export const Address = z.strictObject({
  city: z.optional(Text),
  country: z.optional(Text),
  line1: z.optional(Text),
  line2: z.optional(Text),
  postal_code: z.optional(Text),
  state: z.optional(Text),
})
export const Currency = z.string().check(z.regex(/^[a-z]{3}$/))
export const Link = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })
