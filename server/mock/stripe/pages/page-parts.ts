import type { FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import { type CardFault, type ListedCard, parseExpiry, TEST_CARDS } from '#server/mock/stripe/api/cards.ts'
import { escapeHtml, LANGUAGES, type Language, renderHtmlPage, WORDS, type Words } from '#server/mock/stripe/port.ts'
import type { StripeFake } from '#server/mock/stripe/stripe-fake.ts'

/** The requested language; English for `auto` and unsupported ones. */
export const supportedLanguage = (locale: string | null | undefined): Language => LANGUAGES.find((language) => language === locale) ?? 'en'

export const getWords = (language: Language): Words => WORDS[language]

type StripePage = { lang: string; title: string; banner: string; main: string }

export const renderStripePage = ({ lang, title, banner, main }: StripePage) =>
  renderHtmlPage({
    lang,
    title,
    style: '/mock/stripe/style.css',
    body: `<header class="banner">${escapeHtml(banner)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>`,
  })

type SumRow = readonly [label: string, amount: string]

export type TaxSum = { rate: Stripe.TaxRate; amount: number }

type Totals = { total: number; taxes: readonly TaxSum[]; money: (amount: number) => string; words: Words; lang: string }

/** The rows between subtotal and total: the taxes added and those included, each rate with its sum over all lines. */
export function listTotals({ total, taxes, money, words, lang }: Totals): SumRow[] {
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 4 })
  const listTaxes = (isInclusive: boolean) =>
    [...new Set(taxes.map(({ rate }) => rate))]
      .filter(({ inclusive }) => inclusive === isInclusive)
      .map((rate): SumRow => {
        const name = `${rate.display_name} ${percent.format(rate.percentage / 100)}`
        const amount = taxes.reduce((sum, tax) => (tax.rate === rate ? sum + tax.amount : sum), 0)
        return [isInclusive ? words.taxIncluded.replace('{{name}}', () => name) : name, money(amount)]
      })
  return [...listTaxes(false), [words.total, money(total)], ...listTaxes(true)]
}

export const renderSumTable = (lines: readonly SumRow[], sums: readonly SumRow[]) => `<table>
<tbody>${lines.map(renderSumRow).join('')}</tbody>
<tfoot>${sums.map(renderSumRow).join('')}</tfoot>
</table>`

const renderSumRow = ([label, amount]: SumRow) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(amount)}</td></tr>`

/** The page's content security policy. Browsers apply `form-action` to redirects too, so the origin of the portal is allowed. */
const contentSecurityPolicy = (next: string | null | undefined) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self'${next ? ` ${new URL(next).origin}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export type PageRoute = { Params: { id: string } }
export type CardFormRoute = PageRoute & { Body: { number?: unknown; expiry?: unknown } | undefined }
export type ConfirmationRoute = PageRoute & { Body: { answer?: unknown } | undefined }

/** The account whose page is visited. */
export type PageAccount = {
  stripe: StripeFake
  /** Delivers the new events. */
  deliver(): Promise<void>
}
export type FindAccount = (request: FastifyRequest) => PageAccount

export const cardNumber = ({ body }: FastifyRequest<CardFormRoute>) => String(body?.number ?? '')

/** The typed expiry date. Text that is not a date counts as expired. */
export const cardExpiry = ({ body }: FastifyRequest<CardFormRoute>) =>
  body?.expiry === undefined ? undefined : (parseExpiry(String(body.expiry)) ?? PAST_EXPIRY)
const PAST_EXPIRY = { month: 1, year: 2000 }

export const isConfirmed = ({ body }: FastifyRequest<ConfirmationRoute>) => body?.answer === 'yes'

export const sendPage = (reply: FastifyReply, html: string, next?: string | null) =>
  reply
    .headers({ 'content-security-policy': contentSecurityPolicy(next), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)

/** The alert that explains why a card was refused; empty before the first attempt. */
export const renderFaultNote = (fault: CardFault | undefined, words: Words) =>
  fault ? `<p class="alert" role="alert" id="fault">${escapeHtml(words.fault[describeFault(fault, words.fault)])}</p>` : ''

/** Like in a shop, the pages give no details about a card that is lost, stolen or suspected of fraud. */
const describeFault = <Word extends string>(fault: string, words: Record<Word | 'declined', string>): Word | 'declined' =>
  Object.hasOwn(words, fault) ? (fault as Word) : 'declined'

export const renderCardForm = (
  words: Words,
  action: string,
  fault: CardFault | undefined,
  to: string,
) => `<form method="post" action="${to}">
<label for="number">${escapeHtml(words.number)}</label>
<input id="number" name="number" inputmode="numeric" autocomplete="off" maxlength="23" required autofocus${fault ? ' aria-invalid="true" aria-describedby="fault"' : ''} placeholder="4242 4242 4242 4242">
<div class="pair">
<div><label for="expiry">${escapeHtml(words.expiry)}</label><input id="expiry" name="expiry" autocomplete="off" maxlength="7" value="12 / 34" required></div>
<div><label for="cvc">${escapeHtml(words.cvc)}</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123" required></div>
</div>
<button type="submit">${escapeHtml(action)}</button>
</form>`

export const renderCardList = (words: Words, outcome: (card: ListedCard) => keyof Words['outcome']) =>
  `<ul class="cards">${TEST_CARDS.map((card) => `<li><code>${card.number}</code> ${escapeHtml(words.outcome[outcome(card)])}</li>`).join('')}</ul>`

/** The outcome of an on-session payment, where the cardholder can confirm at the bank. */
export const paymentOutcome = ({ fault, asks }: ListedCard) => {
  if (asks === 'never') return fault ?? 'paid'
  if (fault) return 'asks_declined'
  return asks === 'always' ? 'asks_always' : 'asks_once'
}

export const renderChallengePage = (words: Words, lang: string) =>
  renderStripePage({
    lang,
    title: words.challenge.title,
    banner: words.banner,
    main: `<p>${escapeHtml(words.challenge.text)}</p>
<form method="post">
<button type="submit" name="answer" value="yes">${escapeHtml(words.challenge.confirm)}</button>
<button type="submit" name="answer" value="no" class="quiet">${escapeHtml(words.challenge.refuse)}</button>
</form>`,
  })
