import * as z from 'zod/mini'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { chargeStep } from '#contracts/rules/price.ts'

const Whole = z.int().check(z.minimum(0))
const Price = z.strictObject({
  id: z.string().check(z.regex(/^[\w-]{1,60}$/, 'give 1 to 60 letters, digits, _ and -')),
  type: z.enum(['plan', 'option', 'tracker']),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  currency: z.enum(CURRENCIES),
  /** Amount in minor units for the whole period. */
  unitAmount: Whole,
  taxBehavior: z.enum(['inclusive', 'exclusive']),
  /** Null for a one-time payment. */
  interval: z.nullable(z.enum(['month', 'year'])),
  intervalCount: z.nullable(z.int().check(z.minimum(1))),
  months: Whole,
  /** Additional free months. */
  extra: Whole,
})
const PriceList = z.array(Price).check(z.minLength(1))

/** The form of a price list, for the help of the operator's command. */
export const PRICES_FORM = `A list in JSON, each price with all of these fields and no others:
  [{ "id": "eur-6m",              letters, digits, _ and -, at most 60, each once; Stripe's product is whereabouts_eur-6m
     "type": "plan",              plan, option (an extra that is sold with a plan) or tracker
     "name": "6 months",          1 to 80 characters
     "currency": "eur",           ${CURRENCIES.join(', ')}
     "unitAmount": 899,           for the whole period, in minor units: 899 is 8.99 eur or 899 jpy, 89900 is 899 huf
     "taxBehavior": "inclusive",  inclusive or exclusive
     "interval": "month",         month or year; null when it is paid once
     "intervalCount": 6,          how many of them pass between two payments; null when it is paid once
     "months": 6,                 months that the payment buys
     "extra": 0 }]                free months on top`

/** Parses a price list in JSON. Throws one message that names each wrong entry with its field and the reason. */
export function parsePrices(text: string) {
  const rows = parseJson(text)
  const parsed = PriceList.safeParse(rows)
  const problems = parsed.success ? findContradictions(parsed.data) : parsed.error.issues.map((issue) => describeIssue(issue, rows))
  if (parsed.success && problems.length === 0) return parsed.data
  throw new Error(`The price list cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

type PriceRow = z.infer<typeof Price>

/** Rules between the fields of a price, and between prices. */
function findContradictions(rows: PriceRow[]) {
  const known = new Set<string>()
  return rows.flatMap((row, index) => {
    const problems: string[] = []
    if (known.has(row.id)) problems.push(`${nameEntry(index, row)}: id: another entry has it too`)
    if ((row.interval === null) !== (row.intervalCount === null))
      problems.push(`${nameEntry(index, row)}: intervalCount: give a number with an interval, and null without one`)
    const step = chargeStep(row.currency)
    if (row.unitAmount % step !== 0)
      problems.push(`${nameEntry(index, row)}: unitAmount: ${row.currency} is charged in whole units, so give a multiple of ${step}`)
    known.add(row.id)
    return problems
  })
}

const nameEntry = (index: number, row: unknown) => {
  const id = typeof row === 'object' && row !== null && 'id' in row ? ` (${JSON.stringify(row.id)})` : ''
  return `entry ${index + 1}${id}`
}

function describeIssue({ path: [index, field], ...issue }: z.core.$ZodIssue, rows: unknown) {
  if (typeof index !== 'number')
    return `the file: ${Array.isArray(rows) ? 'it has no entry' : 'it is no list of prices in JSON: [{ "id": …'}`
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined
  if (issue.code === 'unrecognized_keys') return `${nameEntry(index, row)}: ${issue.keys.join(', ')}: there is no such field`
  const isMissing = typeof row === 'object' && row !== null && typeof field === 'string' && !(field in row)
  const reason = isMissing ? 'it is missing' : issue.message
  return `${nameEntry(index, row)}: ${field === undefined ? 'give an object with the fields of a price' : `${String(field)}: ${reason}`}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`The price list cannot be used:\n  the file: it is no JSON: ${(cause as Error).message}`, { cause })
  }
}

const PREFIX = 'whereabouts_'

/** Stripe product id of one of our prices. */
export const stripeProductId = (price: string) => `${PREFIX}${price}`

/** The price that a Stripe product represents; null for a product that is not ours. */
export const parseProductId = (product: string) => (product.startsWith(PREFIX) ? product.slice(PREFIX.length) : null)
