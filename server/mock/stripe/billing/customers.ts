import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Address, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import {
  attachPaymentMethod,
  detachPaymentMethod,
  listPaymentMethods,
  resolvePaymentMethod,
} from '#server/mock/stripe/payments/payment-methods.ts'
import { cancelSubscription } from './subscription.ts'

const PATH = '/v1/customers'
const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
const WholeAddress = z.pipe(
  Address,
  z.transform((address) => ({ ...NO_ADDRESS, ...address })),
)
const CustomerDetails = {
  address: z.optional(WholeAddress),
  description: z.optional(Text),
  email: z.optional(z.email()),
  name: z.optional(Text),
  metadata: z.optional(Metadata),
  phone: z.optional(Text),
  preferred_locales: z.optional(z.array(z.string())),
  tax_exempt: z.optional(z.enum(['exempt', 'none', 'reverse'])),
  invoice_settings: z.optional(z.strictObject({ default_payment_method: z.string() })),
}
const NewCustomer = z.strictObject({ ...CustomerDetails, payment_method: z.optional(z.string()), test_clock: z.optional(z.string()) })
const CustomerChange = z.strictObject(CustomerDetails)
const CustomerQuery = z.strictObject({
  ...Pagination,
  created: Created,
  email: z.optional(z.string()),
  test_clock: z.optional(z.string()),
})

const listExisting = ({ customers }: Provider) => [...customers.values()].filter((one): one is Stripe.Customer => !one.deleted)

function createCustomer(
  provider: Provider,
  { test_clock, payment_method, invoice_settings, metadata, ...details }: z.output<typeof NewCustomer>,
) {
  if (test_clock && !provider.testClocks.has(test_clock)) throw missingObject('test clock', test_clock, 'test_clock', 400)
  const chosen = invoice_settings?.default_payment_method
  if (payment_method !== undefined && chosen !== undefined && chosen !== payment_method) throw notAttached(chosen)
  const made: Stripe.Customer = {
    ...buildCustomer(provider),
    test_clock: test_clock ?? null,
    ...details,
    metadata: mergeMetadata({}, metadata),
  }
  saveCustomer(provider, made)
  const card = payment_method ?? chosen
  const attached = card === undefined ? undefined : attachPaymentMethod(provider, resolvePaymentMethod(provider, card), made.id)
  const default_payment_method = invoice_settings && attached ? attached.id : null
  const customer = saveCustomer(provider, { ...made, invoice_settings: { ...made.invoice_settings, default_payment_method } })
  recordEvent(provider, 'customer.created', customer)
  return customer
}

export const customerEndpoints = [
  searchEndpoint(PATH, listExisting),
  endpoint('POST', PATH, NewCustomer, createCustomer),
  endpoint('GET', PATH, CustomerQuery, (provider, { created, email, test_clock, ...paging }) => {
    const found = listExisting(provider).filter(
      (one) => (!email || one.email === email) && (one.test_clock ?? undefined) === test_clock && isCreatedWithin(one, created),
    )
    return paginate(found, paging, PATH)
  }),
  endpoint('GET', '/v1/customers/:id', NoInput, (provider, _, id) => provider.customers.get(id) ?? notFound(id)),
  endpoint('POST', '/v1/customers/:id', CustomerChange, (provider, { invoice_settings, metadata, ...details }, id) => {
    const customer = findCustomer(provider, id) ?? notFound(id)
    if (invoice_settings) validateDefaultCard(provider, id, invoice_settings.default_payment_method)
    const changed = saveCustomer(provider, {
      ...customer,
      ...details,
      metadata: mergeMetadata(customer.metadata, metadata),
      invoice_settings: { ...customer.invoice_settings, ...invoice_settings },
    })
    recordEvent(provider, 'customer.updated', changed, customer)
    return changed
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
  if (methods.get(method)?.customer !== customer) throw notAttached(method)
}

const notAttached = (method: string) =>
  new Problem(`The customer does not have a payment method with the ID ${method}. The payment method must be attached to the customer.`, {
    code: 'resource_missing',
    param: 'invoice_settings[default_payment_method]',
  })

const notFound = (id: string): never => {
  throw missingObject('customer', id)
}

export const buildCustomer = (provider: Provider, id = createId(provider, 'cus')): Stripe.Customer => ({
  id,
  object: 'customer',
  address: null,
  balance: 0,
  created: nowInSeconds(provider),
  currency: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: id.slice(-8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
})
