import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CardFault } from './cards.ts'
import { renderChallengePage } from './challenge-page.ts'
import { renderClosedPage } from './checkout-page.ts'
import type { StripeFake } from './fake.ts'
import { renderInvoicePage } from './invoice-page.ts'
import {
  type CardFormRoute,
  type ConfirmationRoute,
  cardExpiry,
  cardNumber,
  type DeliverEvents,
  type GetStripe,
  isConfirmed,
  type PageRoute,
  sendPage,
} from './page-forms.ts'
import { type InvoicePayment, isPayable } from './pay-hosted-invoice.ts'
import { PAGES_PATH } from './provider.ts'
import { getWords, supportedLanguage } from './words.ts'

const INVOICE_PAGE = `${PAGES_PATH}/invoice/:id`

/** Mounts the hosted invoice page, its payment form and the bank's confirmation. */
export function mountInvoicePages(pages: FastifyInstance, stripeOf: GetStripe, tellAll: DeliverEvents) {
  pages.get<PageRoute>(INVOICE_PAGE, async ({ world, params }, reply) => showInvoice(stripeOf(world), params.id, reply))
  pages.post<CardFormRoute>(INVOICE_PAGE, (request, reply) =>
    continuePayment(request, reply, stripeOf(request.world).payInvoice(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${INVOICE_PAGE}/confirm`, async ({ world, params }, reply) => {
    const stripe = stripeOf(world)
    const invoice = stripe.invoice(params.id)
    if (!invoice || !isPayable(invoice)) return showInvoice(stripe, params.id, reply)
    const lang = supportedLanguage(stripe.localeOf(invoice.customer))
    return sendPage(reply, renderChallengePage(getWords(lang), lang))
  })
  pages.post<ConfirmationRoute>(`${INVOICE_PAGE}/confirm`, (request, reply) =>
    continuePayment(request, reply, stripeOf(request.world).answerInvoice(request.params.id, isConfirmed(request))),
  )

  async function continuePayment({ world, params }: FastifyRequest<PageRoute>, reply: FastifyReply, payment: InvoicePayment) {
    const stripe = stripeOf(world)
    await tellAll(world)
    if (payment.outcome === 'refused') return showInvoice(stripe, params.id, reply.code(402), payment.fault)
    const next = payment.outcome === 'asked' ? '/confirm' : ''
    return stripe.invoice(params.id)
      ? reply.redirect(`${PAGES_PATH}/invoice/${params.id}${next}`, 303)
      : showInvoice(stripe, params.id, reply)
  }
}

function showInvoice(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const invoice = stripe.invoice(id)
  const lang = supportedLanguage(invoice && stripe.localeOf(invoice.customer))
  const words = getWords(lang)
  return invoice
    ? sendPage(reply, renderInvoicePage({ invoice, words, lang, fault }))
    : sendPage(reply.code(404), renderClosedPage(undefined, words, lang))
}
