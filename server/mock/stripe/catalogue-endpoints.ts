import * as z from 'zod/mini'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { saveProduct } from './catalogue.ts'
import { Bool, endpoint, Int, Metadata, NoInput } from './endpoint.ts'
import { Pagination, paginate } from './list.ts'
import { buildPrice } from './price.ts'
import { missingObject, Problem } from './problem.ts'
import { createId, nowInSeconds, type Provider } from './provider.ts'

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
