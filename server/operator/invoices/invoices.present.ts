import type { OperatorInvoice, OperatorInvoiceDetails } from '#contracts/operator/invoices.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { countRefundable, findInvoiceById, type InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { listCreditNotes, listPayments } from '#server/billing/returns/returns.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { type Customer, presentCustomer } from '#server/operator/search/present-customer.ts'

export const presentInvoice = (invoice: InvoiceRow, customer: Customer): OperatorInvoice => ({
  id: invoice.id,
  number: invoice.number,
  date: formatInstant(invoice.date),
  customer,
  amount: invoice.amount,
  balance: invoice.balance,
  currency: invoice.currency,
  status: invoice.status,
  order: invoice.orderReference,
  refunded: invoice.refunded,
  dispute: invoice.dispute,
})

/** Throws `not_found`. */
export async function readInvoice(db: DbReader, id: number) {
  const invoice = await findInvoiceById(db, id)
  if (!invoice) throw new Failure('not_found')
  return presentInvoiceDetails(db, invoice)
}

export async function presentInvoiceDetails(db: DbReader, invoice: InvoiceRow): Promise<OperatorInvoiceDetails> {
  const payments = await listPayments(db, invoice.number)
  const notes = await listCreditNotes(db, invoice.number)
  return {
    ...presentInvoice(invoice, await presentCustomer(db, invoice.accountId)),
    lines: invoice.lines,
    tax: invoice.tax,
    refundable: countRefundable(invoice),
    payments: payments.map(({ paidAt, amount, cardBrand, cardLast4, country }) => ({
      at: formatInstant(paidAt),
      amount,
      card: cardLast4 && `${cardBrand ?? ''} ${cardLast4}`.trim(),
      country,
    })),
    credit_notes: notes.map(({ id, number, date, amount, reason, voidedAt }) => ({
      ...{ id, number, date: formatInstant(date), amount, reason },
      failed: voidedAt !== null,
    })),
  }
}
