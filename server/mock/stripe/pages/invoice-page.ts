import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { CardFault } from '#server/mock/stripe/api/cards.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { type InvoicePayment, isPayable } from '#server/mock/stripe/billing/invoice-payments.ts'
import { escapeHtml, formatPrice, type Words } from '#server/mock/stripe/port.ts'
import type { StripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { renderClosedPage } from './checkout-page.ts'
import {
  type CardFormRoute,
  type ConfirmationRoute,
  cardExpiry,
  cardNumber,
  type FindAccount,
  getWords,
  isConfirmed,
  listTotals,
  type PageRoute,
  paymentOutcome,
  renderCardForm,
  renderCardList,
  renderChallengePage,
  renderFaultNote,
  renderStripePage,
  renderSumTable,
  sendPage,
  supportedLanguage,
  type TaxSum,
} from './page-parts.ts'

type InvoiceView = { invoice: Stripe.Invoice; taxes: readonly TaxSum[]; words: Words; lang: string; fault?: CardFault | undefined }

/** The page of a finalized invoice: its lines, the balance, and a card form while it can be paid. */
function renderInvoicePage({ invoice, taxes, words, lang, fault }: InvoiceView) {
  const money = (amount: number) => formatPrice(amount, invoice.currency, lang)
  const balance = money(invoice.amount_remaining)
  const open = isPayable(invoice)
  const totals = listTotals({ total: invoice.total, taxes, money, words, lang })
  const sums = [...totals, ...(open ? [[words.invoice.balance, balance] as const] : [])]
  return renderStripePage({
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

/** A link to the portal's invoice list, because the page does not know where it was opened from. */
const renderInvoicesLink = ({ hosted_invoice_url }: Stripe.Invoice, words: Words) =>
  hosted_invoice_url
    ? `<a class="back" href="${escapeHtml(new URL('/invoices', hosted_invoice_url).href)}">${escapeHtml(words.back)}</a>`
    : ''

const INVOICE_PAGE = `${PAGES_PATH}/invoice/:id`

export function mountInvoicePages(pages: FastifyInstance, findAccount: FindAccount) {
  pages.get<PageRoute>(INVOICE_PAGE, async (request, reply) => showInvoice(findAccount(request).stripe, request.params.id, reply))
  pages.post<CardFormRoute>(INVOICE_PAGE, (request, reply) =>
    continuePayment(request, reply, findAccount(request).stripe.payInvoice(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${INVOICE_PAGE}/confirm`, async (request, reply) => {
    const { stripe } = findAccount(request)
    const invoice = stripe.findInvoice(request.params.id)
    if (!invoice || !isPayable(invoice)) return showInvoice(stripe, request.params.id, reply)
    const lang = supportedLanguage(stripe.customerLocale(invoice.customer))
    return sendPage(reply, renderChallengePage(getWords(lang), lang))
  })
  pages.post<ConfirmationRoute>(`${INVOICE_PAGE}/confirm`, (request, reply) =>
    continuePayment(request, reply, findAccount(request).stripe.confirmInvoicePayment(request.params.id, isConfirmed(request))),
  )

  async function continuePayment(request: FastifyRequest<PageRoute>, reply: FastifyReply, payment: InvoicePayment) {
    const { stripe, deliver } = findAccount(request)
    const { id } = request.params
    await deliver()
    if (payment.outcome === 'refused') return showInvoice(stripe, id, reply.code(402), payment.fault)
    const next = payment.outcome === 'asked' ? '/confirm' : ''
    return stripe.findInvoice(id) ? reply.redirect(`${PAGES_PATH}/invoice/${id}${next}`, 303) : showInvoice(stripe, id, reply)
  }
}

function showInvoice(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const invoice = stripe.findInvoice(id)
  const lang = supportedLanguage(invoice && stripe.customerLocale(invoice.customer))
  const words = getWords(lang)
  return invoice
    ? sendPage(reply, renderInvoicePage({ invoice, taxes: stripe.listInvoiceTaxes(invoice), words, lang, fault }))
    : sendPage(reply.code(404), renderClosedPage(undefined, words, lang))
}
