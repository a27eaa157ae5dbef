import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { MockWorlds } from '#server/mock/worlds.ts'
import type { CardFault } from './cards.ts'
import { checkoutPage, closedPage } from './checkout-page.ts'
import type { StripeFake } from './fake.ts'
import { parseForm } from './form.ts'
import { policy } from './markup.ts'
import { readExpiry } from './payment-method.ts'
import { portalPage } from './portal-page.ts'
import { PAGES } from './provider.ts'
import { css } from './style.ts'
import { tell } from './tell.ts'
import { languageOf, wordsOf } from './words.ts'

type Named = { Params: { id: string } }
type Typed = Named & { Body: { number?: unknown; expiry?: unknown } | undefined }

/** The provider's hosted pages: checkout and billing portal, for test cards only. */
export function stripePages(app: FastifyInstance, worlds: MockWorlds) {
  const stripeOf = (request: FastifyRequest) => worlds.get(request.world.id)!.stripe
  const tellAll = async (request: FastifyRequest, events: readonly Stripe.Event[]) => {
    for (const event of events) await tell(app, request.world, stripeOf(request).sign(event))
  }

  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, parseForm(String(body))),
    )

    pages.get(`${PAGES}/style.css`, async (_, reply) => reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css))

    pages.get<Named>(`${PAGES}/checkout/:id`, async (request, reply) => visit(stripeOf(request), request.params.id, reply))

    pages.post<Typed>(`${PAGES}/checkout/:id`, async (request, reply) => {
      const stripe = stripeOf(request)
      const payment = stripe.pay(request.params.id, numberOf(request), expiryOf(request))
      if (payment.outcome === 'refused') return showCheckout(stripe, payment.session, reply.code(402), payment.fault)
      if (payment.outcome === 'paid') await tellAll(request, payment.events)
      return visit(stripe, request.params.id, reply)
    })

    pages.get<Named>(`${PAGES}/portal/:id`, async (request, reply) => showPortal(stripeOf(request), request.params.id, reply))

    pages.post<Typed>(`${PAGES}/portal/:id`, async (request, reply) => {
      const stripe = stripeOf(request)
      const { id } = request.params
      const added = stripe.addCard(id, numberOf(request), expiryOf(request))
      if (added?.outcome === 'refused') return showPortal(stripe, id, reply.code(402), added.fault)
      if (added) await tellAll(request, added.events)
      return added ? reply.redirect(`${PAGES}/portal/${id}`, 303) : showPortal(stripe, id, reply)
    })
  })
}

/** The form of an open session; a paid one leads on, an expired or unknown one is told. */
function visit(stripe: StripeFake, id: string, reply: FastifyReply) {
  const session = stripe.session(id)
  if (session?.status === 'complete') return reply.redirect((session.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', id), 303)
  if (session?.status === 'open') return showCheckout(stripe, session, reply)
  const lang = languageOf(session?.locale)
  return show(reply.code(session ? 410 : 404), closedPage(session, wordsOf(lang), lang))
}

function showCheckout(stripe: StripeFake, session: Stripe.Checkout.Session, reply: FastifyReply, fault?: CardFault) {
  const lang = languageOf(session.locale)
  return show(reply, checkoutPage({ session, lines: stripe.linesOf(session.id), words: wordsOf(lang), lang, fault }), session.success_url)
}

function showPortal(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const session = stripe.portalSession(id)
  const lang = languageOf(session?.locale)
  const html = portalPage({ session, cards: stripe.cardsShown(id), words: wordsOf(lang), lang, fault })
  return show(session ? reply : reply.code(404), html)
}

const numberOf = ({ body }: FastifyRequest<Typed>) => String(body?.number ?? '')

/** What is typed as an expiry date and is none has passed. */
const expiryOf = ({ body }: FastifyRequest<Typed>) => (body?.expiry === undefined ? undefined : (readExpiry(String(body.expiry)) ?? PASSED))
const PASSED = { month: 1, year: 2000 }

const show = (reply: FastifyReply, html: string, next?: string | null) =>
  reply
    .headers({ 'content-security-policy': policy(next), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)
