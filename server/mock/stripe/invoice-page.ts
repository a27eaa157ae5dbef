import type Stripe from 'stripe'
import { formatPrice } from '#contracts/rules/price.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { paymentOutcome, renderCardForm, renderCardList, renderFaultNote } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { renderPage, renderSumTable } from './markup.ts'
import { isPayable } from './pay-hosted-invoice.ts'
import { PAGES_PATH } from './provider.ts'
import type { Words } from './words.ts'

type InvoiceView = { invoice: Stripe.Invoice; words: Words; lang: string; fault?: CardFault | undefined }

/** The page of a finalized invoice: its lines, the balance, and a card form while it can be paid. */
export function renderInvoicePage({ invoice, words, lang, fault }: InvoiceView) {
  const money = (amount: number) => formatPrice(amount, invoice.currency, lang)
  const balance = money(invoice.amount_remaining)
  const open = isPayable(invoice)
  const sums = [[words.total, money(invoice.total)] as const, ...(open ? [[words.invoice.balance, balance] as const] : [])]
  return renderPage({
    lang,
    title: words.invoice.title,
    banner: words.banner,
    main: `
${renderFaultNote(fault, words)}
${renderSumTable(
  invoice.lines.data.map((line) => [line.description ?? '', money(line.amount)]),
  sums,
)}
${open ? renderInvoiceForm(invoice, words, balance, fault) : `<p role="status"><b>${escapeHtml(outcomeText(invoice, words))}</b></p>`}
${renderInvoicesLink(invoice, words)}
${open ? renderCardList(words, paymentOutcome) : ''}`,
  })
}

const renderInvoiceForm = ({ id }: Stripe.Invoice, words: Words, balance: string, fault: CardFault | undefined) =>
  `<p>${escapeHtml(words.invoice.once)}</p>
${renderCardForm(words, words.pay.replace('{{amount}}', balance), fault, `${PAGES_PATH}/invoice/${id}`)}`

const outcomeText = ({ status }: Stripe.Invoice, words: Words) => (status === 'void' ? words.invoice.void : words.invoice.paid)

/** A link to the portal's invoice list: the page does not know where it was opened from. */
const renderInvoicesLink = ({ hosted_invoice_url }: Stripe.Invoice, words: Words) =>
  hosted_invoice_url
    ? `<a class="back" href="${escapeHtml(new URL('/invoices', hosted_invoice_url).href)}">${escapeHtml(words.back)}</a>`
    : ''
