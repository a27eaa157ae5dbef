import { escapeHtml } from '#server/lib/escape-html.ts'
import { pageOf } from '#server/mock/lib/page.ts'

type Page = { lang: string; title: string; banner: string; main: string }

/** A page in the design of the provider. */
export const renderPage = ({ lang, title, banner, main }: Page) =>
  pageOf({
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

/** A table of the lines and their totals. */
export const renderSumTable = (lines: readonly SumRow[], sums: readonly SumRow[]) => `<table>
<tbody>${lines.map(renderSumRow).join('')}</tbody>
<tfoot>${sums.map(renderSumRow).join('')}</tfoot>
</table>`

const renderSumRow = ([label, amount]: SumRow) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(amount)}</td></tr>`

/** The page's content security policy. Browsers apply `form-action` to redirects too, so the origin of the portal is allowed. */
export const contentSecurityPolicy = (next: string | null | undefined) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self'${next ? ` ${new URL(next).origin}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
