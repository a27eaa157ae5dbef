import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import { isRefusal } from '#server/lib/payments.ts'
import type { Context } from '#server/lib/world.ts'
import { defaultCard, type InvoiceRow, settleInvoice } from './store.ts'

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
    if (!(await isPaidAtProvider(context, invoice.providerId))) throw new Failure('payment_failed', {}, { cause: error })
    await settle(context, invoice.id)
    throw new Failure('already_paid', {}, { cause: error })
  }
  return settle(context, invoice.id)
}

/** Refused because another call, or the provider by itself, was faster. */
async function isPaidAtProvider({ payments: { stripe } }: Context, id: string) {
  try {
    return (await stripe.invoices.retrieve(id)).status === 'paid'
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

async function settle({ db }: Context, id: number) {
  const settled = await writeDevices(db, (tx) => settleInvoice(tx, id))
  if (!settled) throw new Failure('not_found')
  return settled
}
