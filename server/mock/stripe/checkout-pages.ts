import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { CardFault } from './cards.ts'
import { renderChallengePage } from './challenge-page.ts'
import { renderCheckoutPage, renderClosedPage } from './checkout-page.ts'
import type { StripeFake } from './fake.ts'
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
import type { CheckoutPayment } from './pay.ts'
import { PAGES_PATH } from './provider.ts'
import { getWords, supportedLanguage } from './words.ts'

const CHECKOUT_PAGE = `${PAGES_PATH}/checkout/:id`

/** Mounts the hosted checkout: the card form, the bank's confirmation and the redirect back to the shop. */
export function mountCheckoutPages(pages: FastifyInstance, stripeOf: GetStripe, tellAll: DeliverEvents) {
  pages.get<PageRoute>(CHECKOUT_PAGE, async ({ world, params }, reply) => showSession(stripeOf(world), params.id, reply))
  pages.post<CardFormRoute>(CHECKOUT_PAGE, (request, reply) =>
    continueCheckout(request, reply, stripeOf(request.world).pay(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${CHECKOUT_PAGE}/confirm`, async ({ world, params }, reply) => {
    const session = stripeOf(world).session(params.id)
    if (session?.status !== 'open') return showSession(stripeOf(world), params.id, reply)
    const lang = supportedLanguage(session.locale)
    return sendPage(reply, renderChallengePage(getWords(lang), lang), session.success_url)
  })
  pages.post<ConfirmationRoute>(`${CHECKOUT_PAGE}/confirm`, (request, reply) =>
    continueCheckout(request, reply, stripeOf(request.world).answer(request.params.id, isConfirmed(request))),
  )

  async function continueCheckout({ world, params }: FastifyRequest<PageRoute>, reply: FastifyReply, payment: CheckoutPayment) {
    const stripe = stripeOf(world)
    if (payment.outcome === 'refused') return showCheckout(stripe, payment.session, reply.code(402), payment.fault)
    if (payment.outcome === 'asked') return reply.redirect(`${PAGES_PATH}/checkout/${params.id}/confirm`, 303)
    if (payment.outcome === 'paid') await tellAll(world)
    return showSession(stripe, params.id, reply)
  }
}

/** Shows the form of an open session, redirects to the shop from a paid one, and says that an expired or unknown one is closed. */
function showSession(stripe: StripeFake, id: string, reply: FastifyReply) {
  const session = stripe.session(id)
  if (session?.status === 'complete') return reply.redirect((session.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', id), 303)
  if (session?.status === 'open') return showCheckout(stripe, session, reply)
  const lang = supportedLanguage(session?.locale)
  return sendPage(reply.code(session ? 410 : 404), renderClosedPage(session, getWords(lang), lang))
}

function showCheckout(stripe: StripeFake, session: Stripe.Checkout.Session, reply: FastifyReply, fault?: CardFault) {
  const lang = supportedLanguage(session.locale)
  const action = `${PAGES_PATH}/checkout/${session.id}`
  return sendPage(
    reply,
    renderCheckoutPage({ session, lines: stripe.linesOf(session.id), words: getWords(lang), lang, fault, action }),
    session.success_url,
  )
}
