import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { refusedCharge } from './charge.ts'
import { attempt } from './collect.ts'
import { endpoint, Nothing } from './endpoint.ts'
import { record } from './event.ts'
import { Paging, pageOf } from './list.ts'
import { missing, Problem } from './problem.ts'
import { liveCustomer, type Provider, secondsNow } from './provider.ts'

const PATH = '/v1/invoices'
const Payment = z.strictObject({ payment_method: z.optional(z.string()) })
const Listed = z.strictObject({
  ...Paging,
  customer: z.optional(z.string()),
  subscription: z.optional(z.string()),
  status: z.optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
})

export const invoiceEndpoints = [
  endpoint('GET', PATH, Listed, ({ invoices }, { customer, subscription, status, ...paging }) => {
    const found = [...invoices.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (!status || one.status === status) &&
        (!subscription || one.parent?.subscription_details?.subscription === subscription),
    )
    return pageOf(found, paging, PATH)
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id/pay`, Payment, (provider, { payment_method }, id) => {
    const invoice = find(provider, id)
    if (invoice.status === 'paid') throw new Problem('Invoice is already paid')
    if (invoice.status !== 'open') throw new Problem('Only open invoices can be paid.')
    const { fault, invoice: tried } = attempt(provider, invoice, methodFor(provider, invoice, payment_method), { isAutomatic: false })
    if (fault) throw refusedCharge(fault)
    return tried
  }),
  endpoint('POST', `${PATH}/:id/void`, Nothing, (provider, _, id) => {
    const invoice = find(provider, id)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw new Problem('You can only pass in open invoices.')
    const transitions = { ...invoice.status_transitions, voided_at: secondsNow(provider) }
    const voided: Stripe.Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions: transitions }
    provider.invoices.set(id, voided)
    record(provider, 'invoice.voided', voided)
    return voided
  }),
]

const find = ({ invoices }: Provider, id: string) => {
  const invoice = invoices.get(id)
  if (!invoice) throw missing('invoice', id, 'invoice')
  return invoice
}

/** The requested card, or else the customer's default card. */
function methodFor(provider: Provider, { customer }: Stripe.Invoice, asked: string | undefined) {
  const owner = typeof customer === 'string' ? liveCustomer(provider, customer) : undefined
  const id = asked ?? owner?.invoice_settings.default_payment_method
  if (typeof id !== 'string')
    throw new Problem('This customer has no attached payment source or default payment method.', { code: 'resource_missing' })
  const method = provider.methods.get(id)
  if (!method || method.customer !== customer) throw missing('PaymentMethod', id, 'payment_method', 400)
  return method
}
