import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { CURRENCIES, formatMoney, MAX_AMOUNT } from './money.ts'

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

/** A text; an empty one removes it. */
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
/** `error` of a check is the whole message, `code` Stripe's code for it. */
const holds = <T>(isTrue: (value: T) => boolean, error: (value: T) => string, { code, path }: { code?: string; path?: string[] } = {}) =>
  z.refine<T>(isTrue, { abort: true, error: ({ input }) => error(input as T), ...(code && { params: { code } }), ...(path && { path }) })

export const Currency = z.string().check(
  holds(
    (text) => CURRENCIES.includes(text),
    (text) => `Invalid currency: ${text}. Stripe currently supports these currencies: ${CURRENCIES.join(', ')}`,
  ),
)
/** Amount of a price, in minor units of its currency. */
export const UnitAmount = Int.check(
  holds(
    (amount) => amount >= 0,
    () => 'Invalid non-negative integer',
  ),
)
/** Checks an object for an amount that is too large for its currency. */
export const limitAmount = <Name extends 'amount' | 'unit_amount'>(name: Name) =>
  holds<{ currency: string } & Record<Name, number>>(
    (terms) => terms[name] <= MAX_AMOUNT,
    ({ currency }) => `Amount must be no more than ${formatMoney(MAX_AMOUNT, currency)}`,
    { code: 'amount_too_large', path: [name] },
  )
/** Expiry of a card. */
export const Month = Int.check(
  holds(
    (month) => month >= 1 && month <= 12,
    () => "Your card's expiration month is invalid.",
    { code: 'invalid_expiry_month' },
  ),
)
export const Link = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })
