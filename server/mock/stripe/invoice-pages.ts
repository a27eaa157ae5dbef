import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CardFault } from './cards.ts'
import { challengePage } from './challenge-page.ts'
import { closedPage } from './checkout-page.ts'
import type { StripeFake } from './fake.ts'
import { invoicePage } from './invoice-page.ts'
import { type Answered, expiryOf, isYes, type Named, numberOf, type StripeOf, show, type TellAll, type Typed } from './page-forms.ts'
import { type HostedPayment, isPayable } from './pay-hosted-invoice.ts'
import { PAGES } from './provider.ts'
import { languageOf, wordsOf } from './words.ts'

const PATH = `${PAGES}/invoice/:id`

/** Mounts the hosted invoice page, its payment form and the bank's confirmation. */
export function invoicePages(pages: FastifyInstance, stripeOf: StripeOf, tellAll: TellAll) {
  pages.get<Named>(PATH, async ({ world, params }, reply) => showInvoice(stripeOf(world), params.id, reply))
  pages.post<Typed>(PATH, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).payInvoice(request.params.id, numberOf(request), expiryOf(request))),
  )
  pages.get<Named>(`${PATH}/confirm`, async ({ world, params }, reply) => {
    const stripe = stripeOf(world)
    const invoice = stripe.invoice(params.id)
    if (!invoice || !isPayable(invoice)) return showInvoice(stripe, params.id, reply)
    const lang = languageOf(stripe.localeOf(invoice.customer))
    return show(reply, challengePage(wordsOf(lang), lang))
  })
  pages.post<Answered>(`${PATH}/confirm`, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).answerInvoice(request.params.id, isYes(request))),
  )

  async function goOn({ world, params }: FastifyRequest<Named>, reply: FastifyReply, payment: HostedPayment) {
    const stripe = stripeOf(world)
    await tellAll(world)
    if (payment.outcome === 'refused') return showInvoice(stripe, params.id, reply.code(402), payment.fault)
    const next = payment.outcome === 'asked' ? '/confirm' : ''
    return stripe.invoice(params.id) ? reply.redirect(`${PAGES}/invoice/${params.id}${next}`, 303) : showInvoice(stripe, params.id, reply)
  }
}

function showInvoice(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const invoice = stripe.invoice(id)
  const lang = languageOf(invoice && stripe.localeOf(invoice.customer))
  const words = wordsOf(lang)
  return invoice ? show(reply, invoicePage({ invoice, words, lang, fault })) : show(reply.code(404), closedPage(undefined, words, lang))
}
