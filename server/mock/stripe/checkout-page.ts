import type Stripe from 'stripe'
import { formatPrice } from '#contracts/rules/price.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { cardForm, cardList, faultNote, outcomeOfPaying } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { page, sumTable } from './markup.ts'
import type { Words } from './words.ts'

type Shown = {
  session: Stripe.Checkout.Session
  lines: readonly Stripe.LineItem[]
  words: Words
  lang: string
  fault?: CardFault | undefined
  action: string
}

export function checkoutPage({ session, lines, words, lang, fault, action }: Shown) {
  const money = (amount: number | null) => formatPrice(amount ?? 0, session.currency ?? 'eur', lang)
  const total = money(session.amount_total)
  return page({
    lang,
    title: words.title,
    banner: words.banner,
    main: `
${faultNote(fault, words)}
${sumTable(
  lines.map((line) => [line.description ?? '', money(line.amount_total)]),
  [[words.total, total]],
)}
${session.custom_text.submit ? `<p>${escapeHtml(session.custom_text.submit.message)}</p>` : ''}
${cardForm(words, words.pay.replace('{{amount}}', total), fault, action)}
${wayBack(session, words)}
${cardList(words, outcomeOfPaying)}`,
  })
}

/** The page of a session that can no longer be paid. */
export const closedPage = (session: Stripe.Checkout.Session | undefined, words: Words, lang: string) =>
  page({ lang, title: words.closed, banner: words.banner, main: session ? wayBack(session, words) : '' })

const wayBack = ({ cancel_url }: Stripe.Checkout.Session, words: Words) =>
  cancel_url ? `<a class="back" href="${escapeHtml(cancel_url)}">${escapeHtml(words.cancel)}</a>` : ''
