import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Metadata, Nothing } from './endpoint.ts'
import { record } from './event.ts'
import { detach, methodsOf } from './payment-method.ts'
import { missing, Problem } from './problem.ts'
import { liveCustomer, newId, type Provider, secondsNow } from './provider.ts'
import { end } from './subscription-changes.ts'

const InvoiceSettings = z.strictObject({ default_payment_method: z.string() })

const Details = z.strictObject({
  email: z.optional(z.email()),
  name: z.optional(z.string()),
  metadata: z.optional(Metadata),
  preferred_locales: z.optional(z.array(z.string())),
})
const New = z.extend(Details, { test_clock: z.optional(z.string()) })
const Change = z.extend(Details, { invoice_settings: z.optional(InvoiceSettings) })

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', New, (provider, { test_clock = null, ...details }) => {
    if (test_clock && !provider.testClocks.has(test_clock)) throw missing('test clock', test_clock, 'test_clock', 400)
    return keep(provider, { ...blankCustomer(provider), test_clock, ...details })
  }),
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
    const customer = liveCustomer(provider, id) ?? notFound(id)
    for (const subscription of provider.subscriptions.values())
      if (subscription.customer === id && subscription.status !== 'canceled') end(provider, subscription)
    for (const method of methodsOf(provider, id)) detach(provider, method)
    record(provider, 'customer.deleted', customer)
    return keep(provider, { id, object: 'customer', deleted: true })
  }),
]

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

/** A new customer without any details. */
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
