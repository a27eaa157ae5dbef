import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { INTERVALS, type Interval, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { Bool, endpoint, Int, Metadata, missingObject, NoInput, Pagination, Problem, paginate } from '#server/mock/stripe/api/endpoint.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'

type PriceFacts = {
  id: string
  created: number
  currency: string
  amount: number
  taxBehavior: Stripe.Price.TaxBehavior | null
  product: string
  isActive?: boolean
  lookupKey?: string | null
  metadata?: Record<string, string>
  recurring: { interval: Interval; count: number } | null
}

export const buildPrice = ({ id, created, currency, amount, taxBehavior, product, recurring, ...facts }: PriceFacts): Stripe.Price => ({
  id,
  object: 'price',
  active: facts.isActive ?? false,
  billing_scheme: 'per_unit',
  created,
  currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: facts.lookupKey ?? null,
  metadata: facts.metadata ?? {},
  nickname: null,
  product,
  recurring: recurring && {
    interval: recurring.interval,
    interval_count: recurring.count,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: taxBehavior,
  tiers_mode: null,
  transform_quantity: null,
  type: recurring ? 'recurring' : 'one_time',
  unit_amount: amount,
  unit_amount_decimal: null,
})

/** The legacy `plan` object, which Stripe still sends beside a recurring price. */
export const buildPlan = (
  { id, created, currency, unit_amount, product }: Stripe.Price,
  { interval, interval_count }: Stripe.Price.Recurring,
): Stripe.Plan => ({
  id,
  object: 'plan',
  active: false,
  amount: unit_amount,
  amount_decimal: null,
  billing_scheme: 'per_unit',
  created,
  currency,
  interval,
  interval_count,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: null,
  product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
})

type ProductFacts = { id?: string | undefined; name: string; metadata?: Record<string, string> | undefined }

export function saveProduct(provider: Provider, { id = createId(provider, 'prod'), name, metadata = {} }: ProductFacts) {
  const created = nowInSeconds(provider)
  const product: Stripe.Product = {
    id,
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    updated: created,
    url: null,
  }
  provider.products.set(id, product)
  return product
}

const PRODUCTS_PATH = '/v1/products'
const PRICES_PATH = '/v1/prices'

const NewProduct = z.strictObject({ id: z.optional(z.string()), name: z.string(), metadata: z.optional(Metadata) })
const ProductChange = z.strictObject({ name: z.optional(z.string()), active: z.optional(Bool), metadata: z.optional(Metadata) })
const NewPrice = z.strictObject({
  product: z.string(),
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  unit_amount: Int,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  recurring: z.optional(z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) })),
  lookup_key: z.optional(z.string()),
  transfer_lookup_key: z.optional(Bool),
  metadata: z.optional(Metadata),
})
const PriceChange = z.strictObject({ active: z.optional(Bool), metadata: z.optional(Metadata) })
const PriceQuery = z.strictObject({
  ...Pagination,
  active: z.optional(Bool),
  product: z.optional(z.string()),
  lookup_keys: z.optional(z.array(z.string()).check(z.maxLength(10))),
})

export const catalogueEndpoints = [
  endpoint('POST', PRODUCTS_PATH, NewProduct, (provider, product) => {
    if (product.id && provider.products.has(product.id))
      throw new Problem('Product already exists.', { code: 'resource_already_exists', param: 'id' })
    return saveProduct(provider, product)
  }),
  endpoint('GET', `${PRODUCTS_PATH}/:id`, NoInput, ({ products }, _, id) => products.get(id) ?? notFound('product', id)),
  endpoint('POST', `${PRODUCTS_PATH}/:id`, ProductChange, ({ products }, { name, active, metadata }, id) => {
    const product = products.get(id) ?? notFound('product', id)
    const changes = { ...(name !== undefined && { name }), ...(active !== undefined && { active }) }
    const changed = { ...product, ...changes, metadata: { ...product.metadata, ...metadata } }
    products.set(id, changed)
    return changed
  }),
  endpoint('GET', PRICES_PATH, PriceQuery, ({ prices }, { active, product, lookup_keys, ...paging }) => {
    const found = [...prices.values()].filter(
      (one) =>
        (active === undefined || one.active === active) &&
        (!product || one.product === product) &&
        (!lookup_keys || (one.lookup_key !== null && lookup_keys.includes(one.lookup_key))),
    )
    return paginate(found, paging, PRICES_PATH)
  }),
  endpoint('POST', PRICES_PATH, NewPrice, (provider, { lookup_key: lookupKey = null, transfer_lookup_key, recurring, ...facts }) => {
    if (!provider.products.has(facts.product)) throw missingObject('product', facts.product, 'product', 400)
    freeLookupKey(provider, lookupKey, transfer_lookup_key ?? false)
    const price = buildPrice({
      id: createId(provider, 'price'),
      created: nowInSeconds(provider),
      currency: facts.currency,
      amount: facts.unit_amount,
      taxBehavior: facts.tax_behavior ?? 'unspecified',
      product: facts.product,
      recurring: recurring ? { interval: recurring.interval, count: recurring.interval_count ?? 1 } : null,
      isActive: true,
      lookupKey,
      metadata: facts.metadata ?? {},
    })
    provider.prices.set(price.id, price)
    return price
  }),
  endpoint('POST', `${PRICES_PATH}/:id`, PriceChange, ({ prices }, { active, metadata }, id) => {
    const price = prices.get(id) ?? notFound('price', id)
    const changed = { ...price, ...(active !== undefined && { active }), metadata: { ...price.metadata, ...metadata } }
    prices.set(id, changed)
    return changed
  }),
]

/** Frees a lookup key for a new price: Stripe allows one price per key. */
function freeLookupKey({ prices }: Provider, key: string | null, isTransferred: boolean) {
  for (const price of prices.values()) {
    if (key === null || price.lookup_key !== key) continue
    if (!isTransferred) throw new Problem(`A price (\`${price.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    prices.set(price.id, { ...price, lookup_key: null })
  }
}

const notFound = (kind: string, id: string): never => {
  throw missingObject(kind, id)
}
