import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddedCard } from './add-card.ts'
import type { CardFault } from './cards.ts'
import { challengePage } from './challenge-page.ts'
import type { StripeFake } from './fake.ts'
import { type Answered, expiryOf, isYes, type Named, numberOf, type StripeOf, show, type TellAll, type Typed } from './page-forms.ts'
import { portalPage } from './portal-page.ts'
import { PAGES } from './provider.ts'
import { languageOf, wordsOf } from './words.ts'

type OfSubscription = { Params: { id: string; subscription: string }; Body: { action?: unknown } | undefined }

const PATH = `${PAGES}/portal/:id`

/** Mounts the billing portal, where customers add cards and cancel or resume subscriptions. */
export function portalPages(pages: FastifyInstance, stripeOf: StripeOf, tellAll: TellAll) {
  pages.get<Named>(PATH, async ({ world, params }, reply) => showPortal(stripeOf(world), params.id, reply))
  pages.post<Typed>(PATH, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).addCard(request.params.id, numberOf(request), expiryOf(request))),
  )
  pages.get<Named>(`${PATH}/confirm`, async ({ world, params }, reply) => {
    const session = stripeOf(world).portalSession(params.id)
    const lang = languageOf(session?.locale)
    return session ? show(reply, challengePage(wordsOf(lang), lang)) : showPortal(stripeOf(world), params.id, reply)
  })
  pages.post<Answered>(`${PATH}/confirm`, (request, reply) =>
    goOn(request, reply, stripeOf(request.world).answerSetUp(request.params.id, isYes(request))),
  )
  pages.post<OfSubscription>(`${PATH}/subscriptions/:subscription`, async ({ world, params, body }, reply) => {
    stripeOf(world).endWithPeriod(params.id, params.subscription, body?.action === 'end')
    await tellAll(world)
    return reply.redirect(`${PAGES}/portal/${params.id}`, 303)
  })

  async function goOn({ world, params }: FastifyRequest<Named>, reply: FastifyReply, added: AddedCard | undefined) {
    const stripe = stripeOf(world)
    if (added?.outcome === 'refused') return showPortal(stripe, params.id, reply.code(402), added.fault)
    if (added?.outcome === 'asked') return reply.redirect(`${PAGES}/portal/${params.id}/confirm`, 303)
    if (added) await tellAll(world)
    return added ? reply.redirect(`${PAGES}/portal/${params.id}`, 303) : showPortal(stripe, params.id, reply)
  }
}

function showPortal(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const session = stripe.portalSession(id)
  const lang = languageOf(session?.locale)
  const shown = { session, cards: stripe.cardsShown(id), subscriptions: stripe.subscriptionsShown(id) }
  const html = portalPage({ ...shown, words: wordsOf(lang), lang, fault })
  return show(session ? reply : reply.code(404), html)
}
