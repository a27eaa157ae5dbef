import * as z from 'zod/mini'

const Whole = z.int().check(z.minimum(0))
const Price = z.strictObject({
  id: z.string().check(z.regex(/^[\w-]{1,60}$/)),
  type: z.enum(['plan', 'option', 'tracker']),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  currency: z.enum(['eur', 'usd', 'gbp']),
  /** Minor units for the whole period. */
  unitAmount: Whole,
  taxBehavior: z.enum(['inclusive', 'exclusive']),
  /** Null when it is paid once. */
  interval: z.nullable(z.enum(['month', 'year'])),
  intervalCount: z.nullable(z.int().check(z.minimum(1))),
  months: Whole,
  /** Free months on top. */
  extra: Whole,
})
const PriceList = z.array(Price).check(
  z.minLength(1),
  z.refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
)

/** Parses a price list in JSON. Throws one sentence that names the first mistake. */
export function parsePrices(text: string) {
  const parsed = PriceList.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(`The price list cannot be used: ${path.join('.') || 'the file'}: ${message}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const PREFIX = 'whereabouts_'

/** Stripe product id of one of our prices. */
export const stripeProductId = (price: string) => `${PREFIX}${price}`

/** The price that a Stripe product stands for; null for a product that is not ours. */
export const parseProductId = (product: string) => (product.startsWith(PREFIX) ? product.slice(PREFIX.length) : null)
