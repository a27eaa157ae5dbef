import type Stripe from 'stripe'
import { formatPrice } from '#contracts/rules/price.ts'
import { cardForm, cardList, faultNote } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { escapeHtml, page } from './markup.ts'
import type { Words } from './words.ts'

type Shown = {
  session: Stripe.Checkout.Session
  lines: readonly Stripe.LineItem[]
  words: Words
  lang: string
  fault?: CardFault | undefined
  /** Where the form is sent. */
  action: string
}

/** The form for a card, with what is bought and which cards there are. */
export function checkoutPage({ session, lines, words, lang, fault, action }: Shown) {
  const money = (amount: number | null) => formatPrice(amount ?? 0, session.currency ?? 'eur', lang)
  const rows = lines.map(
    (line) => `<tr><th scope="row">${escapeHtml(line.description ?? '')}</th><td>${escapeHtml(money(line.amount_total))}</td></tr>`,
  )
  const total = money(session.amount_total)
  return page({
    lang,
    title: words.title,
    banner: words.banner,
    main: `
${faultNote(fault, words)}
<table>
<tbody>${rows.join('')}</tbody>
<tfoot><tr><th scope="row">${escapeHtml(words.total)}</th><td>${escapeHtml(total)}</td></tr></tfoot>
</table>
${session.custom_text.submit ? `<p>${escapeHtml(session.custom_text.submit.message)}</p>` : ''}
${cardForm(words, words.pay.replace('{{amount}}', total), fault, action)}
${wayBack(session, words)}
${cardList(words, ({ fault, asks }) => (asks === 'never' ? (fault ?? 'paid') : asked(asks, fault)))}`,
  })
}

const asked = (asks: 'until_set_up' | 'always', fault: string | null) => {
  if (fault) return 'asks_declined'
  return asks === 'always' ? 'asks_always' : 'asks_once'
}

/** Said of a session that nobody can pay any more. */
export const closedPage = (session: Stripe.Checkout.Session | undefined, words: Words, lang: string) =>
  page({ lang, title: words.closed, banner: words.banner, main: session ? wayBack(session, words) : '' })

const wayBack = ({ cancel_url }: Stripe.Checkout.Session, words: Words) =>
  cancel_url ? `<a class="back" href="${escapeHtml(cancel_url)}">${escapeHtml(words.cancel)}</a>` : ''
