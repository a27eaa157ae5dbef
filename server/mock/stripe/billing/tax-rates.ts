import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Bool, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'

const TAX_RATES_PATH = '/v1/tax_rates'
const MAX_RATES = 10

/** A percentage with at most four decimals. */
const Percentage = z.pipe(
  z.string().check(z.regex(/^(100(\.0+)?|\d{1,2}(\.\d{1,4})?)$/, 'must be a number from 0 to 100 with at most four decimals')),
  z.transform(Number),
)
const Details = {
  active: z.optional(Bool),
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'must be a country code of two letters'))),
  description: z.optional(Text),
  jurisdiction: z.optional(Text),
  metadata: z.optional(Metadata),
  state: z.optional(Text),
}
const DisplayName = z.string().check(z.minLength(1), z.maxLength(100))
const NewTaxRate = z.strictObject({ ...Details, display_name: DisplayName, inclusive: Bool, percentage: Percentage })
const TaxRateChange = z.strictObject({ ...Details, display_name: z.optional(DisplayName) })
const TaxRateQuery = z.strictObject({
  ...Pagination,
  active: z.optional(Bool),
  created: Created,
  inclusive: z.optional(Bool),
})

/** Ids of tax rates; where a list can be changed, an empty text removes them. */
export const TaxRateIds = z.array(z.string()).check(z.maxLength(MAX_RATES))
export const TaxRateIdsOrNone = z.union([z.literal(''), TaxRateIds])

/** The rates with the given ids. Throws for an unknown rate, and for an inactive one unless it is in `known`. */
export function resolveTaxRates(
  { taxRates }: Provider,
  ids: '' | readonly string[] | undefined,
  param: string,
  known: readonly Stripe.TaxRate[] = [],
): Stripe.TaxRate[] {
  return [...(ids || [])].map((id, index) => {
    const rate = taxRates.get(id)
    if (!rate) throw missingObject('tax rate', id, `${param}[${index}]`, 400)
    if (!rate.active && !known.includes(rate))
      throw new Problem(`The tax rate ${id} is inactive. This field only accepts active tax rates.`, { param: `${param}[${index}]` })
    return rate
  })
}

const getTaxRate = ({ taxRates }: Provider, id: string): Stripe.TaxRate => {
  const rate = taxRates.get(id)
  if (!rate) throw missingObject('tax rate', id, 'tax_rate')
  return rate
}

export const taxRateEndpoints = [
  endpoint('POST', TAX_RATES_PATH, NewTaxRate, (provider, { display_name, inclusive, percentage, metadata, ...details }) => {
    const rate: Stripe.TaxRate = {
      ...NO_DETAILS,
      ...details,
      id: createId(provider, 'txr'),
      object: 'tax_rate',
      created: nowInSeconds(provider),
      display_name,
      inclusive,
      livemode: false,
      metadata: mergeMetadata({}, metadata),
      percentage,
    }
    provider.taxRates.set(rate.id, rate)
    recordEvent(provider, 'tax_rate.created', rate)
    return rate
  }),
  endpoint('GET', TAX_RATES_PATH, TaxRateQuery, ({ taxRates }, { active, created, inclusive, ...paging }) => {
    const found = [...taxRates.values()].filter(
      (one) =>
        (active === undefined || one.active === active) &&
        (inclusive === undefined || one.inclusive === inclusive) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, TAX_RATES_PATH)
  }),
  endpoint('GET', `${TAX_RATES_PATH}/:id`, NoInput, (provider, _, id) => getTaxRate(provider, id)),
  endpoint('POST', `${TAX_RATES_PATH}/:id`, TaxRateChange, (provider, { metadata, ...change }, id) => {
    const rate = getTaxRate(provider, id)
    const before = structuredClone(rate)
    // Subscriptions and invoices reference the same object, so they show the change, as with Stripe.
    Object.assign(rate, change, { metadata: mergeMetadata(rate.metadata, metadata) })
    recordEvent(provider, 'tax_rate.updated', rate, before)
    return rate
  }),
]

const NO_DETAILS = {
  active: true,
  country: null,
  description: null,
  effective_percentage: null,
  flat_amount: null,
  jurisdiction: null,
  jurisdiction_level: null,
  rate_type: null,
  state: null,
  tax_type: null,
} satisfies Partial<Stripe.TaxRate>
