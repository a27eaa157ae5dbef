import { Failure } from '#server/lib/errors.ts'
import { isRefusal } from '#server/lib/payments.ts'
import type { Context } from '#server/lib/world.ts'
import { customerOfAccount } from '#server/payment-methods/store.ts'
import { syncCustomer } from '#server/payments/sync-customer.ts'
import { defaultCard, findInvoice, type InvoiceRow } from './store.ts'

/** Charges the default card for an invoice; the provider decides, also when it is asked twice at once. */
export async function payInvoice(context: Context, invoice: InvoiceRow): Promise<InvoiceRow> {
  const { db, payments } = context
  if (invoice.status === 'paid') throw new Failure('already_paid')
  const card = await defaultCard(db.read, invoice.accountId)
  if (card === undefined) throw new Failure('no_payment_method')
  // What the provider does not hold it cannot charge.
  if (invoice.providerId === null) throw new Failure('payment_failed')
  try {
    await payments.stripe.invoices.pay(invoice.providerId, { payment_method: card })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Refused, or another call, or the provider by itself, was faster.
    const isPaid = (await readAnew(context, invoice)).status === 'paid'
    throw new Failure(isPaid ? 'already_paid' : 'payment_failed', {}, { cause: error })
  }
  return readAnew(context, invoice)
}

async function readAnew(context: Context, { id, accountId }: InvoiceRow) {
  const customer = await customerOfAccount(context.db.read, accountId)
  if (customer) await syncCustomer(context, customer)
  const row = await findInvoice(context.db.read, context.viewer, id)
  if (!row) throw new Failure('not_found')
  return row
}
