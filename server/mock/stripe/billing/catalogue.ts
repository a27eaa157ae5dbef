import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject, Problem, refuseBoth } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Bool, Currency, Int, limitAmount, Metadata, mergeMetadata, NoInput, Text, UnitAmount } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { INTERVALS, type Interval, TAX_BEHAVIORS } from '#server/mock/stripe/port.ts'

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
  nickname?: string | null
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
  nickname: facts.nickname ?? null,
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

/** The legacy `plan` object, which Stripe still sends in addition to a recurring price. */
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
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }
  provider.products.set(id, product)
  return product
}

const PRODUCTS_PATH = '/v1/products'
const PRICES_PATH = '/v1/prices'

const ProductDetails = {
  active: z.optional(Bool),
  description: z.optional(Text),
  metadata: z.optional(Metadata),
  statement_descriptor: z.optional(Text),
  unit_label: z.optional(Text),
  url: z.optional(Text),
}
const Recurring = z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) })
const PriceTerms = {
  currency: Currency,
  unit_amount: UnitAmount,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  recurring: z.optional(Recurring),
}
const NewProduct = z.strictObject({
  ...ProductDetails,
  id: z.optional(z.string()),
  name: z.string(),
  default_price_data: z.optional(z.strictObject({ ...PriceTerms, metadata: z.optional(Metadata) }).check(limitAmount('unit_amount'))),
})
const ProductChange = z.strictObject({ ...ProductDetails, name: z.optional(z.string()), default_price: z.optional(z.string()) })
const ProductQuery = z.strictObject({
  ...Pagination,
  active: z.optional(Bool),
  created: Created,
  ids: z.optional(z.array(z.string())),
})
const NewPrice = z
  .strictObject({
    ...PriceTerms,
    active: z.optional(Bool),
    product: z.optional(z.string()),
    product_data: z.optional(z.strictObject({ ...ProductDetails, name: z.string() })),
    lookup_key: z.optional(z.string()),
    transfer_lookup_key: z.optional(Bool),
    metadata: z.optional(Metadata),
    nickname: z.optional(Text),
  })
  .check(limitAmount('unit_amount'))
const PriceChange = z.strictObject({ active: z.optional(Bool), metadata: z.optional(Metadata), nickname: z.optional(Text) })
const PriceQuery = z.strictObject({
  ...Pagination,
  active: z.optional(Bool),
  created: Created,
  currency: z.optional(Currency),
  product: z.optional(z.string()),
  type: z.optional(z.enum(['one_time', 'recurring'])),
  lookup_keys: z.optional(z.array(z.string()).check(z.maxLength(10))),
})

type NewPrice = z.output<typeof NewPrice>

function createProduct(provider: Provider, { id, name, metadata, default_price_data, ...details }: z.output<typeof NewProduct>) {
  if (id && provider.products.has(id)) throw new Problem('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  const made = { ...saveProduct(provider, { id, name, metadata: mergeMetadata({}, metadata) }), ...details }
  provider.products.set(made.id, made)
  const price = default_price_data && createPrice(provider, { ...default_price_data, product: made.id })
  const product = price ? { ...made, default_price: price.id } : made
  provider.products.set(product.id, product)
  recordEvent(provider, 'product.created', product)
  return product
}

function createPrice(provider: Provider, { lookup_key, transfer_lookup_key, recurring, ...facts }: NewPrice) {
  const lookupKey = lookup_key ?? null
  refuseBoth(facts, ['product', 'product_data'])
  const product = facts.product_data ? createProduct(provider, facts.product_data).id : facts.product
  if (product === undefined) throw new Problem('Missing required param: product.', { code: 'parameter_missing', param: 'product' })
  if (!provider.products.has(product)) throw missingObject('product', product, 'product', 400)
  freeLookupKey(provider, lookupKey, transfer_lookup_key ?? false)
  const price = buildPrice({
    id: createId(provider, 'price'),
    created: nowInSeconds(provider),
    currency: facts.currency,
    amount: facts.unit_amount,
    taxBehavior: facts.tax_behavior ?? 'unspecified',
    product,
    recurring: recurring ? { interval: recurring.interval, count: recurring.interval_count ?? 1 } : null,
    isActive: facts.active ?? true,
    lookupKey,
    metadata: mergeMetadata({}, facts.metadata),
    nickname: facts.nickname ?? null,
  })
  provider.prices.set(price.id, price)
  recordEvent(provider, 'price.created', price)
  return price
}

export const catalogueEndpoints = [
  searchEndpoint(PRODUCTS_PATH, ({ products }) => products.values()),
  searchEndpoint(PRICES_PATH, ({ prices }) => prices.values()),
  endpoint('POST', PRODUCTS_PATH, NewProduct, createProduct),
  endpoint('GET', PRODUCTS_PATH, ProductQuery, ({ products }, { active, created, ids, ...paging }) => {
    const found = [...products.values()].filter(
      (one) => (active === undefined || one.active === active) && (!ids || ids.includes(one.id)) && isCreatedWithin(one, created),
    )
    return paginate(found, paging, PRODUCTS_PATH)
  }),
  endpoint('GET', `${PRODUCTS_PATH}/:id`, NoInput, ({ products }, _, id) => products.get(id) ?? notFound('product', id)),
  endpoint('POST', `${PRODUCTS_PATH}/:id`, ProductChange, (provider, { metadata, ...change }, id) => {
    const product = provider.products.get(id) ?? notFound('product', id)
    const { default_price: price } = change
    if (price !== undefined && provider.prices.get(price)?.product !== id) throw missingObject('price', price, 'default_price', 400)
    const changed = { ...product, ...change, metadata: mergeMetadata(product.metadata, metadata), updated: nowInSeconds(provider) }
    provider.products.set(id, changed)
    recordEvent(provider, 'product.updated', changed, product)
    return changed
  }),
  endpoint('DELETE', `${PRODUCTS_PATH}/:id`, NoInput, (provider, _, id) => {
    const product = provider.products.get(id) ?? notFound('product', id)
    if ([...provider.prices.values()].some((price) => price.product === id))
      throw new Problem('This product cannot be deleted because it has one or more user-created prices.')
    provider.products.delete(id)
    recordEvent(provider, 'product.deleted', product)
    return { id, object: 'product', deleted: true }
  }),
  endpoint('GET', PRICES_PATH, PriceQuery, ({ prices }, { active, created, currency, product, type, lookup_keys, ...paging }) => {
    const found = [...prices.values()].filter(
      (one) =>
        (active === undefined || one.active === active) &&
        (!currency || one.currency === currency) &&
        (!product || one.product === product) &&
        (!type || one.type === type) &&
        (!lookup_keys || (one.lookup_key !== null && lookup_keys.includes(one.lookup_key))) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, PRICES_PATH)
  }),
  endpoint('POST', PRICES_PATH, NewPrice, createPrice),
  endpoint('GET', `${PRICES_PATH}/:id`, NoInput, ({ prices }, _, id) => prices.get(id) ?? notFound('price', id)),
  endpoint('POST', `${PRICES_PATH}/:id`, PriceChange, (provider, { metadata, ...change }, id) => {
    const price = provider.prices.get(id) ?? notFound('price', id)
    const changed = { ...price, ...change, metadata: mergeMetadata(price.metadata, metadata) }
    provider.prices.set(id, changed)
    recordEvent(provider, 'price.updated', changed, price)
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
