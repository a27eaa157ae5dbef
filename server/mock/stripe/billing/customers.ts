import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, Metadata, missingObject, NoInput, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { detachPaymentMethod, listPaymentMethods } from './payment-methods.ts'
import { cancelSubscription } from './subscription.ts'

const InvoiceSettings = z.strictObject({ default_payment_method: z.string() })

const CustomerDetails = z.strictObject({
  email: z.optional(z.email()),
  name: z.optional(z.string()),
  metadata: z.optional(Metadata),
  preferred_locales: z.optional(z.array(z.string())),
})
const NewCustomer = z.extend(CustomerDetails, { test_clock: z.optional(z.string()) })
const CustomerChange = z.extend(CustomerDetails, { invoice_settings: z.optional(InvoiceSettings) })

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', NewCustomer, (provider, { test_clock = null, ...details }) => {
    if (test_clock && !provider.testClocks.has(test_clock)) throw missingObject('test clock', test_clock, 'test_clock', 400)
    return saveCustomer(provider, { ...buildCustomer(provider), test_clock, ...details })
  }),
  endpoint('GET', '/v1/customers/:id', NoInput, (provider, _, id) => provider.customers.get(id) ?? notFound(id)),
  endpoint('POST', '/v1/customers/:id', CustomerChange, (provider, { invoice_settings, ...details }, id) => {
    const customer = findCustomer(provider, id) ?? notFound(id)
    if (invoice_settings) validateDefaultCard(provider, id, invoice_settings.default_payment_method)
    return saveCustomer(provider, {
      ...customer,
      ...details,
      metadata: { ...customer.metadata, ...details.metadata },
      invoice_settings: { ...customer.invoice_settings, ...invoice_settings },
    })
  }),
  endpoint('DELETE', '/v1/customers/:id', NoInput, (provider, _, id) => {
    const customer = findCustomer(provider, id) ?? notFound(id)
    for (const subscription of provider.subscriptions.values())
      if (subscription.customer === id && subscription.status !== 'canceled') cancelSubscription(provider, subscription)
    for (const method of listPaymentMethods(provider, id)) detachPaymentMethod(provider, method)
    recordEvent(provider, 'customer.deleted', customer)
    return saveCustomer(provider, { id, object: 'customer', deleted: true })
  }),
]

function saveCustomer<T extends Stripe.Customer | Stripe.DeletedCustomer>({ customers }: Provider, customer: T): T {
  customers.set(customer.id, customer)
  return customer
}

function validateDefaultCard({ methods }: Provider, customer: string, method: string) {
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
  throw missingObject('customer', id)
}

export const buildCustomer = (provider: Provider, id = createId(provider, 'cus')): Stripe.Customer => ({
  id,
  object: 'customer',
  balance: 0,
  created: nowInSeconds(provider),
  default_source: null,
  description: null,
  email: null,
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  shipping: null,
})
