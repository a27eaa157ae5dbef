import type Stripe from 'stripe'
import type { Provider } from './provider.ts'

export const buildInvoicePayment = (invoice: Stripe.Invoice, payment_intent: string): Stripe.InvoicePayment => ({
  id: payment_intent.replace(/^pi/, 'inpay'),
  object: 'invoice_payment',
  amount_paid: invoice.amount_paid,
  amount_requested: invoice.amount_due,
  created: invoice.status_transitions.paid_at ?? invoice.created,
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent, type: 'payment_intent' },
  status: 'paid',
  status_transitions: { canceled_at: null, paid_at: invoice.status_transitions.paid_at },
})

/** The payments of an invoice, which Stripe sends only when they are asked for. */
export function listPaymentsOf({ invoices, invoicePayments }: Provider, id: string) {
  const payment = invoicePayments.get(id)
  const data = payment === undefined ? [] : [buildInvoicePayment(invoices.get(id)!, payment)]
  return { object: 'list', url: `/v1/invoice_payments?invoice=${id}`, has_more: false, data }
}
