import type Stripe from 'stripe'
import { formatPrice } from '#contracts/rules/price.ts'
import { type CardFault, TEST_CARDS } from './cards.ts'
import { escapeHtml, page } from './markup.ts'
import type { Words } from './words.ts'

type Shown = {
  session: Stripe.Checkout.Session
  lines: readonly Stripe.LineItem[]
  words: Words
  lang: string
  fault?: CardFault | undefined
}

/** The form for a card, with what is bought and which cards there are. */
export function checkoutPage({ session, lines, words, lang, fault }: Shown) {
  const money = (amount: number | null) => formatPrice(amount ?? 0, session.currency ?? 'eur', lang)
  const rows = lines.map(
    (line) => `<tr><th scope="row">${escapeHtml(line.description ?? '')}</th><td>${escapeHtml(money(line.amount_total))}</td></tr>`,
  )
  const cards = TEST_CARDS.map((card) => `<li><code>${card.number}</code> ${escapeHtml(words.outcome[card.fault ?? 'paid'])}</li>`)
  const total = money(session.amount_total)
  return page({
    lang,
    title: words.title,
    banner: words.banner,
    main: `
${fault ? `<p class="alert" role="alert" id="fault">${escapeHtml(words.fault[fault])}</p>` : ''}
<table>
<tbody>${rows.join('')}</tbody>
<tfoot><tr><th scope="row">${escapeHtml(words.total)}</th><td>${escapeHtml(total)}</td></tr></tfoot>
</table>
<form method="post">
<label for="number">${escapeHtml(words.number)}</label>
<input id="number" name="number" inputmode="numeric" autocomplete="off" maxlength="23" required autofocus${fault ? ' aria-invalid="true" aria-describedby="fault"' : ''} placeholder="4242 4242 4242 4242">
<div class="pair">
<div><label for="expiry">${escapeHtml(words.expiry)}</label><input id="expiry" name="expiry" autocomplete="off" maxlength="7" value="12 / 34" required></div>
<div><label for="cvc">${escapeHtml(words.cvc)}</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123" required></div>
</div>
<button type="submit">${escapeHtml(words.pay.replace('{{amount}}', total))}</button>
</form>
${wayBack(session, words)}
<ul class="cards">${cards.join('')}</ul>`,
  })
}

/** Said of a session that nobody can pay any more. */
export const closedPage = (session: Stripe.Checkout.Session | undefined, words: Words, lang: string) =>
  page({ lang, title: words.closed, banner: words.banner, main: session ? wayBack(session, words) : '' })

const wayBack = ({ cancel_url }: Stripe.Checkout.Session, words: Words) =>
  cancel_url ? `<a class="back" href="${escapeHtml(cancel_url)}">${escapeHtml(words.cancel)}</a>` : ''
