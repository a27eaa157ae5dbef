import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import type { CardFault, ListedCard } from '#server/mock/stripe/api/cards.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import type { AddCardResult, PortalCard, PortalFeatures, PortalSubscription } from '#server/mock/stripe/billing/billing-portal.ts'
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
  type PageRoute,
  renderCardForm,
  renderCardList,
  renderChallengePage,
  renderFaultNote,
  renderStripePage,
  sendPage,
  supportedLanguage,
} from './page-parts.ts'

type PortalView = {
  session: Stripe.BillingPortal.Session | undefined
  cards: readonly PortalCard[]
  subscriptions: readonly PortalSubscription[]
  features: PortalFeatures
  words: Words
  lang: string
  fault?: CardFault | undefined
}

const renderPortalPage = ({ session, cards, subscriptions, features, words, lang, fault }: PortalView) =>
  renderStripePage({
    lang,
    title: session ? words.portalTitle : words.closed,
    banner: words.banner,
    main: session?.return_url
      ? `<p>${escapeHtml(words.portalText)}</p>
${renderFaultNote(fault, words)}
<table><tbody>${cards.map((card) => renderCard(card, words)).join('')}</tbody></table>
${features.payment_method_update.enabled ? renderCardForm(words, words.addCard, fault, `${PAGES_PATH}/portal/${session.id}`) : ''}
<a class="back" href="${escapeHtml(session.return_url)}">${escapeHtml(words.back)}</a>
${features.payment_method_update.enabled ? renderCardList(words, additionOutcome) : ''}
${subscriptions.length > 0 ? `<h2>${escapeHtml(words.subscription.title)}</h2>` : ''}
${subscriptions.map((one) => renderSubscription(one, session.id, features, words, lang)).join('')}
${features.invoices.map((one) => renderInvoice(one, words, lang)).join('')}`
      : '',
  })

const additionOutcome = ({ fault, isAttachable, asks }: ListedCard) => {
  if (asks === 'until_set_up') return 'asks_once'
  if (asks === 'always') return fault ? 'asks_declined' : 'asks_always'
  return isAttachable && fault ? 'declined_later' : (fault ?? 'paid')
}

function renderCard({ method: { card }, isDefault }: PortalCard, words: Words) {
  if (!card) return ''
  const until = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
  const name = `${card.brand} •••• ${card.last4}, ${until}`
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${isDefault ? escapeHtml(words.defaultCard) : ''}</td></tr>`
}

function renderInvoice({ hosted_invoice_url, created, total, currency }: Stripe.Invoice, words: Words, lang: string) {
  const text = [words.invoice.title, formatDay(created, lang), formatPrice(total, currency, lang)].join(', ')
  return `<p><a href="${escapeHtml(hosted_invoice_url ?? '')}">${escapeHtml(text)}</a></p>`
}

const formatDay = (seconds: number, lang: string) =>
  new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(seconds * 1000))

function renderSubscription(
  { subscription, names }: PortalSubscription,
  portal: string,
  { subscription_cancel }: PortalFeatures,
  words: Words,
  lang: string,
) {
  const { id, cancel_at_period_end: isEnding, items, status } = subscription
  const date = formatDay(Math.min(...items.data.map((item) => item.current_period_end)), lang)
  const term = (isEnding ? words.subscription.ends : words.subscription.renews).replace('{{date}}', date)
  const state = status === 'active' ? term : words.subscription.failed
  const [action, label] = isEnding ? ['keep', words.subscription.keep] : ['end', words.subscription.cancel]
  return `<form method="post" action="${PAGES_PATH}/portal/${portal}/subscriptions/${escapeHtml(id)}" class="row">
<p><b>${escapeHtml(names)}</b><br>${escapeHtml(state)}</p>
${subscription_cancel.enabled ? `<button type="submit" name="action" value="${action}" class="quiet">${escapeHtml(label)}</button>` : ''}
</form>`
}

type SubscriptionRoute = { Params: { id: string; subscription: string }; Body: { action?: unknown } | undefined }

const PORTAL_PAGE = `${PAGES_PATH}/portal/:id`

/** Mounts the billing portal, where customers add cards and cancel or resume subscriptions. */
export function mountPortalPages(pages: FastifyInstance, findAccount: FindAccount) {
  pages.get<PageRoute>(PORTAL_PAGE, async (request, reply) => showPortal(findAccount(request).stripe, request.params.id, reply))
  pages.post<CardFormRoute>(PORTAL_PAGE, (request, reply) =>
    continueAfterCard(request, reply, findAccount(request).stripe.addCard(request.params.id, cardNumber(request), cardExpiry(request))),
  )
  pages.get<PageRoute>(`${PORTAL_PAGE}/confirm`, async (request, reply) => {
    const { stripe } = findAccount(request)
    const session = stripe.findPortalSession(request.params.id)
    const lang = supportedLanguage(session?.locale)
    return session ? sendPage(reply, renderChallengePage(getWords(lang), lang)) : showPortal(stripe, request.params.id, reply)
  })
  pages.post<ConfirmationRoute>(`${PORTAL_PAGE}/confirm`, (request, reply) =>
    continueAfterCard(request, reply, findAccount(request).stripe.confirmAddedCard(request.params.id, isConfirmed(request))),
  )
  pages.post<SubscriptionRoute>(`${PORTAL_PAGE}/subscriptions/:subscription`, async (request, reply) => {
    const { stripe, deliver } = findAccount(request)
    const { params, body } = request
    stripe.setCancelAtPeriodEnd(params.id, params.subscription, body?.action === 'end')
    await deliver()
    return reply.redirect(`${PAGES_PATH}/portal/${params.id}`, 303)
  })

  async function continueAfterCard(request: FastifyRequest<PageRoute>, reply: FastifyReply, added: AddCardResult | undefined) {
    const { stripe, deliver } = findAccount(request)
    const { id } = request.params
    if (added?.outcome === 'refused') return showPortal(stripe, id, reply.code(402), added.fault)
    if (added?.outcome === 'asked') return reply.redirect(`${PAGES_PATH}/portal/${id}/confirm`, 303)
    if (added) await deliver()
    return added ? reply.redirect(`${PAGES_PATH}/portal/${id}`, 303) : showPortal(stripe, id, reply)
  }
}

function showPortal(stripe: StripeFake, id: string, reply: FastifyReply, fault?: CardFault) {
  const session = stripe.findPortalSession(id)
  const lang = supportedLanguage(session?.locale)
  const shown = {
    session,
    cards: stripe.listPortalCards(id),
    subscriptions: stripe.listPortalSubscriptions(id),
    features: stripe.findPortalFeatures(id),
  }
  const html = renderPortalPage({ ...shown, words: getWords(lang), lang, fault })
  return sendPage(session ? reply : reply.code(404), html)
}
