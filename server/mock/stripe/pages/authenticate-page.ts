import type { FastifyInstance, FastifyReply } from 'fastify'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import type { StripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { renderClosedPage } from './checkout-page.ts'
import {
  type ConfirmationRoute,
  type FindAccount,
  getWords,
  isConfirmed,
  type PageRoute,
  renderChallengePage,
  sendPage,
  supportedLanguage,
} from './page-parts.ts'

const AUTHENTICATE_PAGE = `${PAGES_PATH}/authenticate/:id`

type Intent = NonNullable<ReturnType<StripeFake['findIntent']>>

/** Mounts the bank's page, where the cardholder confirms a payment or a card, and the redirect back to the shop. */
export function mountAuthenticatePages(pages: FastifyInstance, findAccount: FindAccount) {
  const lang = supportedLanguage('en')
  const showClosed = (reply: FastifyReply, status: number) =>
    sendPage(reply.code(status), renderClosedPage(undefined, getWords(lang), lang))

  pages.get<PageRoute>(AUTHENTICATE_PAGE, async (request, reply) => {
    const intent = findAccount(request).stripe.findIntent(request.params.id)
    if (intent?.status !== 'requires_action') return showClosed(reply, intent ? 410 : 404)
    return sendPage(reply, renderChallengePage(getWords(lang), lang), returnUrl(intent))
  })
  pages.post<ConfirmationRoute>(AUTHENTICATE_PAGE, async (request, reply) => {
    const { stripe, deliver } = findAccount(request)
    const before = stripe.findIntent(request.params.id)
    if (before?.status !== 'requires_action') return showClosed(reply, before ? 410 : 404)
    const answered = stripe.answerIntent(before.id, isConfirmed(request)) ?? before
    await deliver()
    const shop = returnUrl(before)
    return shop ? reply.redirect(addOutcome(shop, answered), 303) : reply.send({ id: answered.id, status: answered.status })
  })
}

const returnUrl = ({ next_action }: Intent) => next_action?.redirect_to_url?.return_url

/** The parameters that Stripe adds to the address of the shop. */
function addOutcome(shop: string, { id, object, client_secret, status }: Intent) {
  const url = new URL(shop)
  url.searchParams.set(object, id)
  url.searchParams.set(`${object}_client_secret`, client_secret ?? '')
  url.searchParams.set('redirect_status', status === 'succeeded' || status === 'requires_capture' ? 'succeeded' : 'failed')
  return url.href
}
