import { minorUnitDigits } from '#contracts/rules/price.ts'
import { escapeCsvCell } from '#contracts/rules/text.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import type { Download } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { presentCustomers } from '#server/operator/search/present-customer.ts'
import { listArchivedBetween, listCreditNotesBetween, listInvoicesBetween, listPaymentsBetween, type Span } from './accounting.store.ts'

/** The tax columns after `gross` are empty until the server charges tax itself. */
const COLUMNS = [
  ...['kind', 'number', 'date', 'invoice', 'order', 'customer', 'country', 'currency', 'net', 'tax', 'gross'],
  ...['tax_rate', 'tax_country', 'tax_number', 'reference', 'state'],
] as const
type Row = Partial<Record<(typeof COLUMNS)[number], string>>

const PAGE_SIZE = 2000

/** Everything that an accountant books between two days in UTC, both included, as CSV. Amounts that went back are negative. */
export function exportAccounting(db: DbReader, { from, to }: { from: string; to: string }): Download {
  const span = { from: new Date(from), to: new Date(new Date(to).getTime() + DAY_MS) }
  if (span.from >= span.to) throw invalidField('to', 'Must not be before from')
  return { filename: `accounting-${from}-${to}.csv`, content: writeLines(db, span) }
}

/** A text for each page: a text for each line would be a write to the network for each. */
async function* writeLines(db: DbReader, span: Span) {
  yield `${COLUMNS.join(',')}\r\n`
  for await (const rows of listRows(db, span)) yield rows.map(formatLine).join('')
}

const formatLine = (row: Row) => `${COLUMNS.map((name) => formatCell(row[name] ?? '')).join(',')}\r\n`

/** Amounts stay as they are: a negative one is no formula. */
function formatCell(text: string) {
  const cell = /^-?[\d.]+$/.test(text) ? text : escapeCsvCell(text)
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

async function* listRows(db: DbReader, span: Span): AsyncGenerator<Row[]> {
  const readInvoices = async (after: Key | undefined) => {
    const page = await listInvoicesBetween(db, span, after, PAGE_SIZE)
    const customerOf = await presentCustomers(db, page)
    return page.map((invoice) => ({ ...invoice, customer: customerOf(invoice.accountId) }))
  }
  for await (const page of readPages(readInvoices, keyOf))
    yield page.map(({ customer, ...invoice }) => presentInvoiceRow(invoice, `${customer.name}, ${customer.email}`))
  for await (const page of readPages((after) => listArchivedBetween(db, span, after, PAGE_SIZE), keyOf))
    yield page.map((invoice) => presentInvoiceRow(invoice, invoice.billedTo))
  const byPayment = ({ paidAt: date, id }: { paidAt: Date; id: string }) => ({ date, id })
  for await (const page of readPages((after) => listPaymentsBetween(db, span, after, PAGE_SIZE), byPayment))
    yield page.map(({ id, amount, currency, ...paid }) => ({
      ...{ kind: 'payment', number: id, date: formatInstant(paid.paidAt), invoice: paid.invoiceNumber, country: paid.country ?? '' },
      ...{ currency: currency.toUpperCase(), gross: formatAmount(amount, currency), reference: id },
    }))
  for await (const page of readPages((after) => listCreditNotesBetween(db, span, after, PAGE_SIZE), keyOf)) yield page.flatMap(presentNote)
}

type Note = Awaited<ReturnType<typeof listCreditNotesBetween>>[number]

/** A credit note, and the money that went back. */
function presentNote(note: Note): Row[] {
  const { number, date, amount, currency, tax, invoiceNumber: invoice, providerId: reference } = note
  const common = { date: formatInstant(date), invoice, currency: currency.toUpperCase(), reference, state: note.voidedAt ? 'failed' : '' }
  const kind = note.reason === 'dispute' ? 'chargeback' : 'refund'
  return [
    { kind: 'credit_note', number, ...common, ...presentSums(-amount, tax === null ? null : -tax, currency) },
    { kind, number: reference, ...common, gross: formatAmount(-amount, currency) },
  ]
}

/** All pages, one after the other. The database reads the next one while a page is written. */
async function* readPages<T, K>(read: (after: K | undefined) => Promise<T[]>, keyOfRow: (row: T) => K) {
  let next: Promise<T[]> | undefined = read(undefined)
  while (next) {
    const page: T[] = await next
    const last = page.at(-1)
    next = last && page.length === PAGE_SIZE ? read(keyOfRow(last)) : undefined
    // If the download is cancelled, the failure of this page would go unhandled.
    next?.catch(() => undefined)
    yield page
  }
}

type Key = { date: Date; id: number }
const keyOf = ({ date, id }: Key): Key => ({ date, id })

type Sold = {
  number: string
  date: Date
  orderReference: string | null
  currency: string
  amount: number
  tax: number | null
  status: string
}

const presentInvoiceRow = ({ number, date, orderReference, currency, amount, tax, status }: Sold, customer: string): Row => ({
  ...{ kind: 'invoice', number, date: formatInstant(date), invoice: number, order: orderReference ?? '', customer },
  ...{ currency: currency.toUpperCase(), ...presentSums(amount, tax, currency), state: status },
})

const presentSums = (gross: number, tax: number | null, currency: string): Row => ({
  net: formatAmount(gross - (tax ?? 0), currency),
  tax: tax === null ? '' : formatAmount(tax, currency),
  gross: formatAmount(gross, currency),
})

/** Major units with a point, such as `14.95`. */
function formatAmount(minorUnits: number, currency: string) {
  const digits = minorUnitDigits(currency)
  return (minorUnits / 10 ** digits).toFixed(digits)
}
