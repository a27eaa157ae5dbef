import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddCardResult } from './add-card.ts'
import type { CardFault } from './cards.ts'
import { renderChallengePage } from './challenge-page.ts'
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
import { renderPortalPage } from './portal-page.ts'
import { PAGES_PATH } from './provider.ts'
import { getWords, supportedLanguage } from './words.ts'

type SubscriptionRoute = { Params: { id: string; subscription: string }; Body: { action?: unknown } | undefined }

const PORTAL_PAGE = `${PAGES_PATH}/portal/:id`

/** Mounts the billing portal, where customers add cards and cancel or resume subscriptions. */
export function mountPortalPages(pages: FastifyInstance, stripeOf: GetStripe, tellAll: DeliverEvents) {
  pages.get<PageRoute>(PORTAL_PAGE, async ({ world, params }, reply) => showPortal(stripeOf(world), params.id, reply))
  pages.post<CardFormRoute>(PORTAL_PAGE, (request, reply) =>
    continueAfterCard(request, reply, stripeOf(request.world).addCard(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${PORTAL_PAGE}/confirm`, async ({ world, params }, reply) => {
    const session = stripeOf(world).portalSession(params.id)
    const lang = supportedLanguage(session?.locale)
    return session ? sendPage(reply, renderChallengePage(getWords(lang), lang)) : showPortal(stripeOf(world), params.id, reply)
  })
  pages.post<ConfirmationRoute>(`${PORTAL_PAGE}/confirm`, (request, reply) =>
    continueAfterCard(request, reply, stripeOf(request.world).answerSetUp(request.params.id, isConfirmed(request))),
  )
  pages.post<SubscriptionRoute>(`${PORTAL_PAGE}/subscriptions/:subscription`, async ({ world, params, body }, reply) => {
    stripeOf(world).endWithPeriod(params.id, params.subscription, body?.action === 'end')
    await tellAll(world)
    return reply.redirect(`${PAGES_PATH}/portal/${params.id}`, 303)
  })

  async function continueAfterCard({ world, params }: FastifyRequest<PageRoute>, reply: FastifyReply, added: AddCardResult | undefined) {
    const stripe = stripeOf(world)
    if (added?.outcome === 'refused') return showPortal(stripe, params.id, reply.code(402), added.fault)
    if (added?.outcome === 'asked') return reply.redirect(`${PAGES_PATH}/portal/${params.id}/confirm`, 303)
    if (added) await tellAll(world)
    return added ? reply.redirect(`${PAGES_PATH}/portal/${params.id}`, 303) : showPortal(stripe, params.id, reply)
  }
}

function showPortal(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const session = stripe.portalSession(id)
  const lang = supportedLanguage(session?.locale)
  const shown = { session, cards: stripe.cardsShown(id), subscriptions: stripe.subscriptionsShown(id) }
  const html = renderPortalPage({ ...shown, words: getWords(lang), lang, fault })
  return sendPage(session ? reply : reply.code(404), html)
}
