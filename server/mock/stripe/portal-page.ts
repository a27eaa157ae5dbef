import type Stripe from 'stripe'
import { cardForm, cardList, faultNote } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { escapeHtml, page } from './markup.ts'
import type { Words } from './words.ts'

export type ShownCard = { method: Stripe.PaymentMethod; isDefault: boolean }

type Shown = {
  session: Stripe.BillingPortal.Session | undefined
  cards: readonly ShownCard[]
  words: Words
  lang: string
  fault?: CardFault | undefined
}

/** The billing portal: the cards that are kept, a form to add one, and the way back. */
export const portalPage = ({ session, cards, words, lang, fault }: Shown) =>
  page({
    lang,
    title: session ? words.portalTitle : words.closed,
    banner: words.banner,
    main: session?.return_url
      ? `<p>${escapeHtml(words.portalText)}</p>
${faultNote(fault, words)}
<table><tbody>${cards.map((card) => rowOf(card, words)).join('')}</tbody></table>
${cardForm(words, words.addCard, fault)}
<a class="back" href="${escapeHtml(session.return_url)}">${escapeHtml(words.back)}</a>
${cardList(words, ({ fault: outcome, isKept }) => (isKept && outcome ? 'declined_later' : (outcome ?? 'paid')))}`
      : '',
  })

function rowOf({ method: { card }, isDefault }: ShownCard, words: Words) {
  if (!card) return ''
  const until = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
  const name = `${card.brand} •••• ${card.last4}, ${until}`
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${isDefault ? escapeHtml(words.defaultCard) : ''}</td></tr>`
}
