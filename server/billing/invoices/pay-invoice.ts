import type Stripe from 'stripe'
import { defaultCard, findInvoice, type InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { findCustomer } from '#server/billing/records/payment-methods.store.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { Failure } from '#server/lib/errors.ts'
import { isMissing, isRefusal } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Charges the default card for an invoice. Stripe decides, also between two simultaneous requests. */
export async function payInvoice(context: ViewerContext, invoice: InvoiceRow): Promise<InvoiceRow> {
  const { db, payments } = context
  if (invoice.status === 'paid') throw new Failure('already_paid')
  const card = await defaultCard(db.read, invoice.accountId)
  if (invoice.providerId === null) throw new Failure(card === undefined ? 'no_payment_method' : 'payment_failed')
  if (card === undefined) throw new Failure('no_payment_method', await findHostedPage(payments.stripe, invoice.providerId))
  try {
    await payments.stripe.invoices.pay(invoice.providerId, { payment_method: card })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Declined, or paid meanwhile by another request or by Stripe itself.
    const isPaid = (await syncInvoice(context, invoice)).status === 'paid'
    if (isPaid) throw new Failure('already_paid', {}, { cause: error })
    throw new Failure('payment_failed', await findHostedPage(payments.stripe, invoice.providerId), { cause: error })
  }
  return syncInvoice(context, invoice)
}

/** Returns Stripe's hosted invoice page, where any card can be used and the bank can ask for confirmation. */
async function findHostedPage(stripe: Stripe, id: string) {
  try {
    const { hosted_invoice_url } = await stripe.invoices.retrieve(id)
    return hosted_invoice_url ? { hosted_url: hosted_invoice_url } : {}
  } catch (error) {
    if (isMissing(error)) return {}
    throw error
  }
}

async function syncInvoice(context: ViewerContext, { id, accountId }: InvoiceRow) {
  const customer = await findCustomer(context.db.read, accountId)
  if (customer) await syncCustomer(context, customer)
  const row = await findInvoice(context.db.read, context.viewer, id)
  if (!row) throw new Failure('not_found')
  return row
}
