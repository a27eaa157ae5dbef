import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { refusedCharge } from './charge.ts'
import { liveCustomer } from './customers.ts'
import { endpoint, Nothing } from './endpoint.ts'
import { settle } from './invoice.ts'
import { chargeFault } from './payment-method.ts'
import { missing, Problem } from './problem.ts'
import type { Provider } from './provider.ts'

const PATH = '/v1/invoices'
const Payment = z.strictObject({ payment_method: z.optional(z.string()) })

export const invoiceEndpoints = [
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id/pay`, Payment, (provider, { payment_method }, id) => {
    const invoice = find(provider, id)
    if (invoice.status === 'paid') throw new Problem('Invoice is already paid')
    const fault = chargeFault(provider, methodFor(provider, invoice, payment_method))
    if (!fault) return settle(provider, invoice)
    provider.invoices.set(id, { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true })
    throw refusedCharge(fault)
  }),
]

const find = ({ invoices }: Provider, id: string) => {
  const invoice = invoices.get(id)
  if (!invoice) throw missing('invoice', id, 'invoice')
  return invoice
}

/** The card that is asked for, or else the default one of the customer. */
function methodFor(provider: Provider, { customer }: Stripe.Invoice, asked: string | undefined) {
  const owner = typeof customer === 'string' ? liveCustomer(provider, customer) : undefined
  const id = asked ?? owner?.invoice_settings.default_payment_method
  if (typeof id !== 'string')
    throw new Problem('This customer has no attached payment source or default payment method.', { code: 'resource_missing' })
  const method = provider.methods.get(id)
  if (!method || method.customer !== customer) throw missing('PaymentMethod', id, 'payment_method', 400)
  return method
}
