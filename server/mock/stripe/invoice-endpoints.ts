import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { chargeError } from './charge.ts'
import { attemptCharge } from './collect.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { recordEvent } from './event.ts'
import { Pagination, paginate } from './list.ts'
import { missingObject, Problem } from './problem.ts'
import { findCustomer, nowInSeconds, type Provider } from './provider.ts'

const INVOICES_PATH = '/v1/invoices'
const InvoicePaymentInput = z.strictObject({ payment_method: z.optional(z.string()) })
const InvoiceQuery = z.strictObject({
  ...Pagination,
  customer: z.optional(z.string()),
  subscription: z.optional(z.string()),
  status: z.optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
})

export const invoiceEndpoints = [
  endpoint('GET', INVOICES_PATH, InvoiceQuery, ({ invoices }, { customer, subscription, status, ...paging }) => {
    const found = [...invoices.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (!status || one.status === status) &&
        (!subscription || one.parent?.subscription_details?.subscription === subscription),
    )
    return paginate(found, paging, INVOICES_PATH)
  }),
  endpoint('GET', `${INVOICES_PATH}/:id`, NoInput, (provider, _, id) => getInvoice(provider, id)),
  endpoint('POST', `${INVOICES_PATH}/:id/pay`, InvoicePaymentInput, (provider, { payment_method }, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status === 'paid') throw new Problem('Invoice is already paid')
    if (invoice.status !== 'open') throw new Problem('Only open invoices can be paid.')
    const { fault, invoice: tried } = attemptCharge(provider, invoice, getPaymentMethod(provider, invoice, payment_method), {
      isAutomatic: false,
    })
    if (fault) throw chargeError(fault)
    return tried
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/void`, NoInput, (provider, _, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw new Problem('You can only pass in open invoices.')
    const transitions = { ...invoice.status_transitions, voided_at: nowInSeconds(provider) }
    const voided: Stripe.Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions: transitions }
    provider.invoices.set(id, voided)
    recordEvent(provider, 'invoice.voided', voided)
    return voided
  }),
]

const getInvoice = ({ invoices }: Provider, id: string) => {
  const invoice = invoices.get(id)
  if (!invoice) throw missingObject('invoice', id, 'invoice')
  return invoice
}

/** The requested card, or else the customer's default card. */
function getPaymentMethod(provider: Provider, { customer }: Stripe.Invoice, asked: string | undefined) {
  const owner = typeof customer === 'string' ? findCustomer(provider, customer) : undefined
  const id = asked ?? owner?.invoice_settings.default_payment_method
  if (typeof id !== 'string')
    throw new Problem('This customer has no attached payment source or default payment method.', { code: 'resource_missing' })
  const method = provider.methods.get(id)
  if (!method || method.customer !== customer) throw missingObject('PaymentMethod', id, 'payment_method', 400)
  return method
}
