import type Stripe from 'stripe'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { cardForm, cardList, faultNote } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { page } from './markup.ts'
import { PAGES } from './provider.ts'
import type { Words } from './words.ts'

export type ShownCard = { method: Stripe.PaymentMethod; isDefault: boolean }
export type ShownSubscription = { subscription: Stripe.Subscription; names: string }

type Shown = {
  session: Stripe.BillingPortal.Session | undefined
  cards: readonly ShownCard[]
  subscriptions: readonly ShownSubscription[]
  words: Words
  lang: string
  fault?: CardFault | undefined
}

/** The billing portal: saved cards, a form for another one, subscriptions, and a link back. */
export const portalPage = ({ session, cards, subscriptions, words, lang, fault }: Shown) =>
  page({
    lang,
    title: session ? words.portalTitle : words.closed,
    banner: words.banner,
    main: session?.return_url
      ? `<p>${escapeHtml(words.portalText)}</p>
${faultNote(fault, words)}
<table><tbody>${cards.map((card) => rowOf(card, words)).join('')}</tbody></table>
${cardForm(words, words.addCard, fault, `${PAGES}/portal/${session.id}`)}
<a class="back" href="${escapeHtml(session.return_url)}">${escapeHtml(words.back)}</a>
${cardList(words, outcomeOfAdding)}
${subscriptions.length > 0 ? `<h2>${escapeHtml(words.subscription.title)}</h2>` : ''}
${subscriptions.map((one) => subscriptionForm(one, session.id, words, lang)).join('')}`
      : '',
  })

const outcomeOfAdding = ({ fault, isKept, asks }: { fault: keyof Words['outcome'] | null; isKept: boolean; asks: string }) => {
  if (asks === 'until_set_up') return 'asks_once'
  if (asks === 'always') return fault ? 'asks_declined' : 'asks_always'
  return isKept && fault ? 'declined_later' : (fault ?? 'paid')
}

function rowOf({ method: { card }, isDefault }: ShownCard, words: Words) {
  if (!card) return ''
  const until = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
  const name = `${card.brand} •••• ${card.last4}, ${until}`
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${isDefault ? escapeHtml(words.defaultCard) : ''}</td></tr>`
}

function subscriptionForm({ subscription, names }: ShownSubscription, portal: string, words: Words, lang: string) {
  const { id, cancel_at_period_end: isEnding, items, status } = subscription
  const end = new Date(Math.min(...items.data.map((item) => item.current_period_end)) * 1000)
  const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(end)
  const term = (isEnding ? words.subscription.ends : words.subscription.renews).replace('{{date}}', date)
  const state = status === 'active' ? term : words.subscription.failed
  const [action, label] = isEnding ? ['keep', words.subscription.keep] : ['end', words.subscription.cancel]
  return `<form method="post" action="${PAGES}/portal/${portal}/subscriptions/${escapeHtml(id)}" class="row">
<p><b>${escapeHtml(names)}</b><br>${escapeHtml(state)}</p>
<button type="submit" name="action" value="${action}" class="quiet">${escapeHtml(label)}</button>
</form>`
}
