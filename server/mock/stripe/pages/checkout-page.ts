import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { CardFault } from '#server/mock/stripe/api/cards.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import type { CheckoutPayment } from '#server/mock/stripe/checkout/checkout.ts'
import { escapeHtml, formatPrice, type Words } from '#server/mock/stripe/port.ts'
import type { StripeFake } from '#server/mock/stripe/stripe-fake.ts'
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
} from './page-parts.ts'

type CheckoutView = {
  session: Stripe.Checkout.Session
  lines: readonly Stripe.LineItem[]
  words: Words
  lang: string
  fault?: CardFault | undefined
  action: string
}

function renderCheckoutPage({ session, lines, words, lang, fault, action }: CheckoutView) {
  const money = (amount: number | null) => formatPrice(amount ?? 0, session.currency ?? 'eur', lang)
  const total = money(session.amount_total)
  const taxes = lines.flatMap((line) => line.taxes ?? [])
  return renderStripePage({
    lang,
    title: words.title,
    banner: words.banner,
    main: `
${renderFaultNote(fault, words)}
${renderSumTable(
  lines.map((line) => [line.description ?? '', money(line.amount_subtotal)]),
  listTotals({ total: session.amount_total ?? 0, taxes, money, words, lang }),
)}
${session.custom_text.submit ? `<p>${escapeHtml(session.custom_text.submit.message)}</p>` : ''}
${renderCardForm(words, words.pay.replace('{{amount}}', total), fault, action)}
${renderCancelLink(session, words)}
${renderCardList(words, paymentOutcome)}`,
  })
}

/** The page of a session that can no longer be paid. */
export const renderClosedPage = (session: Stripe.Checkout.Session | undefined, words: Words, lang: string) =>
  renderStripePage({ lang, title: words.closed, banner: words.banner, main: session ? renderCancelLink(session, words) : '' })

const renderCancelLink = ({ cancel_url }: Stripe.Checkout.Session, words: Words) =>
  cancel_url ? `<a class="back" href="${escapeHtml(cancel_url)}">${escapeHtml(words.cancel)}</a>` : ''

const CHECKOUT_PAGE = `${PAGES_PATH}/checkout/:id`

/** Mounts the hosted checkout: the card form, the bank's confirmation and the redirect back to the shop. */
export function mountCheckoutPages(pages: FastifyInstance, findAccount: FindAccount) {
  // `?fault=` says why a card that was not typed into this page was declined.
  pages.get<PageRoute & { Querystring: { fault?: CardFault } }>(CHECKOUT_PAGE, async (request, reply) =>
    showSession(findAccount(request).stripe, request.params.id, reply, request.query.fault),
  )
  pages.post<CardFormRoute>(CHECKOUT_PAGE, (request, reply) =>
    continueCheckout(request, reply, findAccount(request).stripe.pay(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${CHECKOUT_PAGE}/confirm`, async (request, reply) => {
    const { stripe } = findAccount(request)
    const session = stripe.findSession(request.params.id)
    if (session?.status !== 'open') return showSession(stripe, request.params.id, reply)
    const lang = supportedLanguage(session.locale)
    return sendPage(reply, renderChallengePage(getWords(lang), lang), session.success_url)
  })
  pages.post<ConfirmationRoute>(`${CHECKOUT_PAGE}/confirm`, (request, reply) =>
    continueCheckout(request, reply, findAccount(request).stripe.confirmPayment(request.params.id, isConfirmed(request))),
  )

  async function continueCheckout(request: FastifyRequest<PageRoute>, reply: FastifyReply, payment: CheckoutPayment) {
    const { stripe, deliver } = findAccount(request)
    const { id } = request.params
    if (payment.outcome === 'refused') return showCheckout(stripe, payment.session, reply.code(402), payment.fault)
    if (payment.outcome === 'asked') return reply.redirect(`${PAGES_PATH}/checkout/${id}/confirm`, 303)
    if (payment.outcome === 'paid') await deliver()
    return showSession(stripe, id, reply)
  }
}

/** Shows the form of an open session, redirects from a paid one to the shop, and shows that an expired or unknown one is closed. */
function showSession(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const session = stripe.findSession(id)
  if (session?.status === 'complete') return reply.redirect((session.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', id), 303)
  if (session?.status === 'open') return showCheckout(stripe, session, reply, fault)
  const lang = supportedLanguage(session?.locale)
  return sendPage(reply.code(session ? 410 : 404), renderClosedPage(session, getWords(lang), lang))
}

function showCheckout(stripe: StripeFake, session: Stripe.Checkout.Session, reply: FastifyReply, fault?: CardFault) {
  const lang = supportedLanguage(session.locale)
  const action = `${PAGES_PATH}/checkout/${session.id}`
  return sendPage(
    reply,
    renderCheckoutPage({ session, lines: stripe.listLineItems(session.id), words: getWords(lang), lang, fault, action }),
    session.success_url,
  )
}
