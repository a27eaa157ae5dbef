import type Stripe from 'stripe'
import type { invoices as contract, Invoice } from '#contracts/billing/invoices.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { findLanguage } from '#db/people.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import { buildInvoiceFile } from '#server/billing/paper/invoice-file.ts'
import { defaultCard, findInvoice, type InvoiceRow, invoicesInSight } from '#server/billing/records/invoices.store.ts'
import { findCustomer } from '#server/billing/records/payment-methods.store.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { isMissing, isRefusal } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

export const invoices: Handlers<typeof contract> = answerInTime({
  async list(_, { db, viewer }) {
    return (await invoicesInSight(db.read, viewer)).map(presentInvoice)
  },

  async pdf({ params }, context) {
    const invoice = await getInvoice(context, params.id)
    const file = await buildInvoiceFile(context, invoice, await findLanguage(context.db.read, context.viewer.userId))
    if (!file) throw new Failure('not_found')
    return file
  },

  async pay({ params }, context) {
    return presentInvoice(await payInvoice(context, await getInvoice(context, params.id)))
  },
})

async function getInvoice({ db, viewer }: ViewerContext, id: number) {
  const invoice = await findInvoice(db.read, viewer, id)
  if (!invoice) throw new Failure('not_found')
  return invoice
}

/** Charges the default card for an invoice. Stripe decides, also between two simultaneous requests. */
async function payInvoice(context: ViewerContext, invoice: InvoiceRow): Promise<InvoiceRow> {
  const { db, payments } = context
  if (invoice.status === 'paid') throw new Failure('already_paid')
  const card = await defaultCard(db.read, invoice.accountId)
  if (invoice.providerId === null) throw new Failure(card === undefined ? 'no_payment_method' : 'payment_failed')
  if (card === undefined) throw new Failure('no_payment_method', await findHostedPage(payments.stripe, invoice.providerId))
  try {
    await payments.stripe.invoices.pay(invoice.providerId, { payment_method: card })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The card was declined, or the invoice was paid meanwhile by another request or by Stripe itself.
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

const presentInvoice = (invoice: InvoiceRow): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  date: formatInstant(invoice.date),
  amount: invoice.amount,
  balance: invoice.balance,
  currency: invoice.currency,
  status: invoice.status,
  order: invoice.orderReference,
  ...(invoice.refunded > 0 && { refunded: invoice.refunded }),
  ...(invoice.dispute && { dispute: invoice.dispute }),
})
