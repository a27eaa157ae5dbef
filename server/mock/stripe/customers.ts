import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Metadata, Nothing } from './endpoint.ts'
import { missing, Problem } from './problem.ts'
import { newId, type Provider, secondsNow } from './provider.ts'

const InvoiceSettings = z.strictObject({ default_payment_method: z.string() })

const Details = z.strictObject({
  email: z.optional(z.email()),
  name: z.optional(z.string()),
  metadata: z.optional(Metadata),
  preferred_locales: z.optional(z.array(z.string())),
})
/** A card can be the default one only of a customer who keeps it. */
const Change = z.extend(Details, { invoice_settings: z.optional(InvoiceSettings) })

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', Details, (provider, details) => keep(provider, { ...blankCustomer(provider), ...details })),
  endpoint('GET', '/v1/customers/:id', Nothing, (provider, _, id) => provider.customers.get(id) ?? notFound(id)),
  endpoint('POST', '/v1/customers/:id', Change, (provider, { invoice_settings, ...details }, id) => {
    const customer = liveCustomer(provider, id) ?? notFound(id)
    if (invoice_settings) checkOwned(provider, id, invoice_settings.default_payment_method)
    return keep(provider, {
      ...customer,
      ...details,
      metadata: { ...customer.metadata, ...details.metadata },
      invoice_settings: { ...customer.invoice_settings, ...invoice_settings },
    })
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

function checkOwned({ methods }: Provider, customer: string, method: string) {
  if (methods.get(method)?.customer === customer) return
  throw new Problem(
    `The customer does not have a payment method with the ID ${method}. The payment method must be attached to the customer.`,
    {
      code: 'resource_missing',
      param: 'invoice_settings[default_payment_method]',
    },
  )
}

const notFound = (id: string): never => {
  throw missing('customer', id)
}

/** A customer of whom nothing is known yet. */
export const blankCustomer = (provider: Provider, id = newId(provider, 'cus')): Stripe.Customer => ({
  id,
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
