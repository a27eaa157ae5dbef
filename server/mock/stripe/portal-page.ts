import type Stripe from 'stripe'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { renderCardForm, renderCardList, renderFaultNote } from './card-form.ts'
import type { CardFault, TestCard } from './cards.ts'
import { renderPage } from './markup.ts'
import { PAGES_PATH } from './provider.ts'
import type { Words } from './words.ts'

export type PortalCard = { method: Stripe.PaymentMethod; isDefault: boolean }
export type PortalSubscription = { subscription: Stripe.Subscription; names: string }

type PortalView = {
  session: Stripe.BillingPortal.Session | undefined
  cards: readonly PortalCard[]
  subscriptions: readonly PortalSubscription[]
  words: Words
  lang: string
  fault?: CardFault | undefined
}

/** The billing portal: saved cards, a form for another one, subscriptions, and a link back. */
export const renderPortalPage = ({ session, cards, subscriptions, words, lang, fault }: PortalView) =>
  renderPage({
    lang,
    title: session ? words.portalTitle : words.closed,
    banner: words.banner,
    main: session?.return_url
      ? `<p>${escapeHtml(words.portalText)}</p>
${renderFaultNote(fault, words)}
<table><tbody>${cards.map((card) => renderCard(card, words)).join('')}</tbody></table>
${renderCardForm(words, words.addCard, fault, `${PAGES_PATH}/portal/${session.id}`)}
<a class="back" href="${escapeHtml(session.return_url)}">${escapeHtml(words.back)}</a>
${renderCardList(words, additionOutcome)}
${subscriptions.length > 0 ? `<h2>${escapeHtml(words.subscription.title)}</h2>` : ''}
${subscriptions.map((one) => renderSubscription(one, session.id, words, lang)).join('')}`
      : '',
  })

const additionOutcome = ({ fault, isAttachable, asks }: TestCard) => {
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

function renderSubscription({ subscription, names }: PortalSubscription, portal: string, words: Words, lang: string) {
  const { id, cancel_at_period_end: isEnding, items, status } = subscription
  const end = new Date(Math.min(...items.data.map((item) => item.current_period_end)) * 1000)
  const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(end)
  const term = (isEnding ? words.subscription.ends : words.subscription.renews).replace('{{date}}', date)
  const state = status === 'active' ? term : words.subscription.failed
  const [action, label] = isEnding ? ['keep', words.subscription.keep] : ['end', words.subscription.cancel]
  return `<form method="post" action="${PAGES_PATH}/portal/${portal}/subscriptions/${escapeHtml(id)}" class="row">
<p><b>${escapeHtml(names)}</b><br>${escapeHtml(state)}</p>
<button type="submit" name="action" value="${action}" class="quiet">${escapeHtml(label)}</button>
</form>`
}
