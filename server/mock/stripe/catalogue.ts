import type Stripe from 'stripe'
import { newId, type Provider, secondsNow } from './provider.ts'

type ProductFacts = { id?: string | undefined; name: string; metadata?: Record<string, string> | undefined }

export function keepProduct(provider: Provider, { id = newId(provider, 'prod'), name, metadata = {} }: ProductFacts) {
  const created = secondsNow(provider)
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
