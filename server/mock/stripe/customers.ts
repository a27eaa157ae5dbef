import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Metadata, Nothing } from './endpoint.ts'
import { missing } from './problem.ts'
import { newId, type Provider, secondsNow } from './provider.ts'

const Details = z.strictObject({
  email: z.optional(z.email()),
  name: z.optional(z.string()),
  metadata: z.optional(Metadata),
  preferred_locales: z.optional(z.array(z.string())),
})

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', Details, (provider, details) => keep(provider, { ...blank(provider), ...details })),
  endpoint('GET', '/v1/customers/:id', Nothing, (provider, _, id) => provider.customers.get(id) ?? notFound(id)),
  endpoint('POST', '/v1/customers/:id', Details, (provider, details, id) => {
    const customer = liveCustomer(provider, id) ?? notFound(id)
    return keep(provider, { ...customer, ...details, metadata: { ...customer.metadata, ...details.metadata } })
  }),
  endpoint('DELETE', '/v1/customers/:id', Nothing, (provider, _, id) => {
    if (!liveCustomer(provider, id)) notFound(id)
    return keep(provider, { id, object: 'customer', deleted: true })
  }),
]

/** A customer that was made and not deleted. */
export function liveCustomer({ customers }: Provider, id: string): Stripe.Customer | undefined {
  const customer = customers.get(id)
  return customer?.deleted ? undefined : customer
}

function keep<T extends Stripe.Customer | Stripe.DeletedCustomer>({ customers }: Provider, customer: T): T {
  customers.set(customer.id, customer)
  return customer
}

const notFound = (id: string): never => {
  throw missing('customer', id)
}

const blank = (provider: Provider): Stripe.Customer => ({
  id: newId(provider, 'cus'),
  object: 'customer',
  balance: 0,
  created: secondsNow(provider),
  default_source: null,
  description: null,
  email: null,
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  shipping: null,
})
