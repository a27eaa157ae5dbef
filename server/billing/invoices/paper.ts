import type { Language } from '#contracts/lib/constants.ts'
import { formatPrice } from '#contracts/rules/price.ts'
import { personName } from '#contracts/rules/user.ts'
import type { Owner } from '#db/people.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { words } from './words.ts'

type Fact = { label: string; value: string }

/** The invoice as text in the viewer's language, as `document.ts` draws it. */
export type Paper = {
  language: Language
  title: string
  seller: string
  /** Says that the document has no legal force; null for a real invoice. */
  note: string | null
  facts: Fact[]
  columns: string[]
  /** One cell per column. */
  rows: string[][]
  sums: Fact[]
}

type Facts = {
  invoice: InvoiceRow
  owner: Pick<Owner, 'firstName' | 'lastName' | 'email'>
  seller: string
  /** False in Stripe's test mode. */
  isLive: boolean
}

const NONE = '–'

/** Lists the lines as sold, the total with its tax and the balance. Dates are in UTC, whatever the viewer's time zone. */
export function presentPaper({ invoice, owner, seller, isLive }: Facts, language: Language): Paper {
  const say = words[language]
  const { amount, balance, currency, tax } = invoice
  const money = (minorUnits: number) => formatPrice(minorUnits, currency, language)
  const sum = (label: string, minorUnits: number): Fact => ({ label, value: money(minorUnits) })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(invoice.date)
  const count = new Intl.NumberFormat(language)
  return {
    language,
    title: say.title,
    seller,
    note: isLive ? null : say.testNote,
    facts: [
      { label: say.number, value: invoice.number },
      { label: say.date, value: day },
      { label: say.order, value: invoice.orderReference ?? NONE },
      { label: say.seller, value: seller },
      { label: say.billedTo, value: `${personName(owner.firstName, owner.lastName, language)}, ${owner.email}` },
      { label: say.status, value: say.statuses[invoice.status] },
    ],
    columns: [say.description, say.quantity, say.unitPrice, say.amount],
    rows: invoice.lines.map(({ label, quantity, unit_amount }) => [
      label,
      count.format(quantity),
      money(unit_amount),
      money(unit_amount * quantity),
    ]),
    sums: [
      ...(tax === null ? [] : [sum(say.net, amount - tax), sum(say.tax, tax)]),
      sum(say.total, amount),
      sum(say.settled, amount - balance),
      sum(say.balance, balance),
    ],
  }
}
