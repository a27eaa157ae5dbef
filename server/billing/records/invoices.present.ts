import type { Invoice } from '#contracts/billing/invoices.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { InvoiceRow } from './invoices.store.ts'

export const presentInvoice = (invoice: InvoiceRow): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  date: formatInstant(invoice.date),
  amount: invoice.amount,
  balance: invoice.balance,
  currency: invoice.currency,
  status: invoice.status,
  order: invoice.orderReference,
})
