import type Stripe from 'stripe'
import { createId, nowInSeconds, type Provider } from './provider.ts'

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
