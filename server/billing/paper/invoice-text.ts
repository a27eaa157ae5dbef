import type { Language } from '#contracts/lib/languages.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { formatPrice } from '#contracts/rules/price.ts'
import { INVOICE_STATUSES } from '#contracts/rules/subscription.ts'
import { personName } from '#contracts/rules/user.ts'
import type { Owner } from '#db/people.ts'
import cs from '#locales/cs/invoice.json' with { type: 'json' }
import de from '#locales/de/invoice.json' with { type: 'json' }
import en from '#locales/en/invoice.json' with { type: 'json' }
import es from '#locales/es/invoice.json' with { type: 'json' }
import fi from '#locales/fi/invoice.json' with { type: 'json' }
import fr from '#locales/fr/invoice.json' with { type: 'json' }
import hu from '#locales/hu/invoice.json' with { type: 'json' }
import it from '#locales/it/invoice.json' with { type: 'json' }
import ja from '#locales/ja/invoice.json' with { type: 'json' }
import nl from '#locales/nl/invoice.json' with { type: 'json' }
import pt from '#locales/pt/invoice.json' with { type: 'json' }
import sv from '#locales/sv/invoice.json' with { type: 'json' }
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import type { CreditNoteRow } from '#server/billing/returns/returns.store.ts'

export type Words = typeof en

export const words: Record<Language, Words> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

type Fact = { label: string; value: string }

/** The invoice as text in the viewer's language, in the form that `document.ts` draws. */
export type InvoiceText = {
  language: Language
  title: string
  seller: string
  /** States that the document has no legal force; null for a real invoice. */
  note: string | null
  facts: Fact[]
  columns: string[]
  /** One cell per column. */
  rows: string[][]
  sums: Fact[]
  /** A line at the end, such as the page on which customers withdraw. */
  foot: string | null
}

type InvoiceFacts = {
  invoice: InvoiceRow
  owner: Pick<Owner, 'firstName' | 'lastName' | 'email'>
  seller: string
  /** False in Stripe's test mode. */
  isLive: boolean
  /** The page on which customers withdraw, if they can. */
  withdrawUrl?: string | undefined
}

const NONE = '–'

/** Lists the lines as sold, the total with its tax and the balance. Dates are in UTC, whatever the viewer's time zone. */
export function presentInvoiceText({ invoice, owner, seller, isLive, withdrawUrl }: InvoiceFacts, language: Language): InvoiceText {
  const texts = words[language]
  const { amount, balance, currency, tax } = invoice
  const money = (minorUnits: number) => formatPrice(minorUnits, currency, language)
  const sum = (label: string, minorUnits: number): Fact => ({ label, value: money(minorUnits) })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(invoice.date)
  const count = new Intl.NumberFormat(language)
  return {
    language,
    title: texts.title,
    seller,
    note: isLive ? null : texts.testNote,
    facts: [
      { label: texts.number, value: invoice.number },
      { label: texts.date, value: day },
      { label: texts.order, value: invoice.orderReference ?? NONE },
      { label: texts.seller, value: seller },
      { label: texts.billedTo, value: `${personName(owner.firstName, owner.lastName, language)}, ${owner.email}` },
      { label: texts.status, value: texts.statuses[pickListed(INVOICE_STATUSES, invoice.status, 'open')] },
    ],
    columns: [texts.description, texts.quantity, texts.unitPrice, texts.amount],
    rows: invoice.lines.map(({ label, quantity, unit_amount }) => [
      label,
      count.format(quantity),
      money(unit_amount),
      money(unit_amount * quantity),
    ]),
    sums: [
      ...(tax === null ? [] : [sum(texts.net, amount - tax), sum(texts.tax, tax)]),
      sum(texts.total, amount),
      sum(texts.settled, amount - balance),
      sum(texts.balance, balance),
    ],
    foot: withdrawUrl ? `${texts.withdraw}: ${withdrawUrl}` : null,
  }
}

type CreditNoteFacts = Omit<InvoiceFacts, 'invoice'> & { note: CreditNoteRow }

/** A credit note, with the invoice that it belongs to and the amount that went back. */
export function presentCreditNoteText({ note, owner, seller, isLive }: CreditNoteFacts, language: Language): InvoiceText {
  const texts = words[language]
  const { amount, currency, tax } = note
  const money = (minorUnits: number) => formatPrice(minorUnits, currency, language)
  const reason = texts.creditNote.reasons[note.reason]
  return {
    language,
    title: texts.creditNote.title,
    seller,
    note: isLive ? null : texts.testNote,
    facts: [
      { label: texts.creditNote.number, value: note.number },
      { label: texts.date, value: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(note.date) },
      { label: texts.number, value: note.invoiceNumber },
      { label: texts.seller, value: seller },
      { label: texts.billedTo, value: `${personName(owner.firstName, owner.lastName, language)}, ${owner.email}` },
    ],
    columns: [texts.description, texts.quantity, texts.unitPrice, texts.amount],
    rows: [[reason, new Intl.NumberFormat(language).format(1), money(amount), money(amount)]],
    sums: [
      ...(tax === null
        ? []
        : [
            { label: texts.net, value: money(amount - tax) },
            { label: texts.tax, value: money(tax) },
          ]),
      { label: texts.creditNote.total, value: money(amount) },
    ],
    foot: null,
  }
}
