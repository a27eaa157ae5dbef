import type Stripe from 'stripe'
import { formatPrice } from '#contracts/rules/price.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { paymentOutcome, renderCardForm, renderCardList, renderFaultNote } from './card-form.ts'
import type { CardFault } from './cards.ts'
import { renderPage, renderSumTable } from './markup.ts'
import type { Words } from './words.ts'

type CheckoutView = {
  session: Stripe.Checkout.Session
  lines: readonly Stripe.LineItem[]
  words: Words
  lang: string
  fault?: CardFault | undefined
  action: string
}

export function renderCheckoutPage({ session, lines, words, lang, fault, action }: CheckoutView) {
  const money = (amount: number | null) => formatPrice(amount ?? 0, session.currency ?? 'eur', lang)
  const total = money(session.amount_total)
  return renderPage({
    lang,
    title: words.title,
    banner: words.banner,
    main: `
${renderFaultNote(fault, words)}
${renderSumTable(
  lines.map((line) => [line.description ?? '', money(line.amount_total)]),
  [[words.total, total]],
)}
${session.custom_text.submit ? `<p>${escapeHtml(session.custom_text.submit.message)}</p>` : ''}
${renderCardForm(words, words.pay.replace('{{amount}}', total), fault, action)}
${renderCancelLink(session, words)}
${renderCardList(words, paymentOutcome)}`,
  })
}

/** The page of a session that can no longer be paid. */
export const renderClosedPage = (session: Stripe.Checkout.Session | undefined, words: Words, lang: string) =>
  renderPage({ lang, title: words.closed, banner: words.banner, main: session ? renderCancelLink(session, words) : '' })

const renderCancelLink = ({ cancel_url }: Stripe.Checkout.Session, words: Words) =>
  cancel_url ? `<a class="back" href="${escapeHtml(cancel_url)}">${escapeHtml(words.cancel)}</a>` : ''
