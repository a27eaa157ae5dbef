import type Stripe from 'stripe'
import type { Provider } from '#server/mock/stripe/api/provider.ts'
import { createRefund } from '#server/mock/stripe/payments/charges.ts'
import { closeDispute, openDispute } from '#server/mock/stripe/payments/disputes.ts'
import { findInvoiceCard, recordInvoicePayment } from './invoice-payments.ts'

/** The charge that paid an invoice. An invoice of the seeds gets one now, since its payment lies before the fake began. */
function findInvoiceCharge(provider: Provider, id: string): Stripe.Charge | undefined {
  const invoice = provider.invoices.get(id)
  if (invoice?.status !== 'paid') return undefined
  const ofCheckout = [...provider.sessions.values()].find((session) => session.invoice === id)?.payment_intent
  if (!provider.invoicePayments.has(id) && !ofCheckout) recordInvoicePayment(provider, invoice, findInvoiceCard(provider, invoice) ?? null)
  const intent = provider.paymentIntents.get(provider.invoicePayments.get(id) ?? String(ofCheckout))
  return provider.charges.get(String(intent?.latest_charge))
}

/** Opens a dispute of the payment of an invoice, unless there is one, and closes it when the bank has decided. */
export function disputeInvoice(provider: Provider, id: string, outcome: 'open' | 'won' | 'lost') {
  const charge = findInvoiceCharge(provider, id)
  if (!charge) return undefined
  const dispute = [...provider.disputes.values()].find((one) => one.charge === charge.id) ?? openDispute(provider, charge)
  return outcome === 'open' ? dispute : closeDispute(provider, dispute, outcome)
}

/** Pays back a part of the payment of an invoice, or all that is left. Throws a problem for more than that. */
export function refundInvoice(provider: Provider, id: string, amount: number | undefined) {
  const charge = findInvoiceCharge(provider, id)
  if (!charge) return undefined
  createRefund(provider, { charge: charge.id, amount })
  return provider.charges.get(charge.id)
}
