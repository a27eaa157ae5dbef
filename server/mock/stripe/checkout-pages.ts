import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { CardFault } from './cards.ts'
import { challengePage } from './challenge-page.ts'
import { checkoutPage, closedPage } from './checkout-page.ts'
import type { StripeFake } from './fake.ts'
import { type Answered, expiryOf, isYes, type Named, numberOf, type StripeOf, show, type TellAll, type Typed } from './page-forms.ts'
import type { Payment } from './pay.ts'
import { PAGES } from './provider.ts'
import { languageOf, wordsOf } from './words.ts'

const PATH = `${PAGES}/checkout/:id`

/** Mounts the hosted checkout: the card form, the bank's confirmation and the redirect back to the shop. */
export function checkoutPages(pages: FastifyInstance, stripeOf: StripeOf, tellAll: TellAll) {
  pages.get<Named>(PATH, async ({ world, params }, reply) => visit(stripeOf(world), params.id, reply))
  pages.post<Typed>(PATH, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).pay(request.params.id, numberOf(request), expiryOf(request))),
  )
  pages.get<Named>(`${PATH}/confirm`, async ({ world, params }, reply) => {
    const session = stripeOf(world).session(params.id)
    if (session?.status !== 'open') return visit(stripeOf(world), params.id, reply)
    const lang = languageOf(session.locale)
    return show(reply, challengePage(wordsOf(lang), lang), session.success_url)
  })
  pages.post<Answered>(`${PATH}/confirm`, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).answer(request.params.id, isYes(request))),
  )

  async function goOn({ world, params }: FastifyRequest<Named>, reply: FastifyReply, payment: Payment) {
    const stripe = stripeOf(world)
    if (payment.outcome === 'refused') return showCheckout(stripe, payment.session, reply.code(402), payment.fault)
    if (payment.outcome === 'asked') return reply.redirect(`${PAGES}/checkout/${params.id}/confirm`, 303)
    if (payment.outcome === 'paid') await tellAll(world)
    return visit(stripe, params.id, reply)
  }
}

/** Shows the form of an open session, redirects to the shop from a paid one, and says that an expired or unknown one is closed. */
function visit(stripe: StripeFake, id: string, reply: FastifyReply) {
  const session = stripe.session(id)
  if (session?.status === 'complete') return reply.redirect((session.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', id), 303)
  if (session?.status === 'open') return showCheckout(stripe, session, reply)
  const lang = languageOf(session?.locale)
  return show(reply.code(session ? 410 : 404), closedPage(session, wordsOf(lang), lang))
}

function showCheckout(stripe: StripeFake, session: Stripe.Checkout.Session, reply: FastifyReply, fault?: CardFault) {
  const lang = languageOf(session.locale)
  const action = `${PAGES}/checkout/${session.id}`
  return show(
    reply,
    checkoutPage({ session, lines: stripe.linesOf(session.id), words: wordsOf(lang), lang, fault, action }),
    session.success_url,
  )
}
