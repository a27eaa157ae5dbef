/** Text as it may stand in a page or an attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

type Page = { lang: string; title: string; banner: string; main: string }

/** A page of the provider's own look; its only file is the stylesheet. */
export const page = ({ lang, title, banner, main }: Page) => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/mock/stripe/style.css">
</head>
<body>
<header class="banner">${escapeHtml(banner)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`

type Row = readonly [label: string, amount: string]

/** What is sold, line by line, and what it comes to. */
export const sumTable = (lines: readonly Row[], sums: readonly Row[]) => `<table>
<tbody>${lines.map(rowOf).join('')}</tbody>
<tfoot>${sums.map(rowOf).join('')}</tfoot>
</table>`

const rowOf = ([label, amount]: Row) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(amount)}</td></tr>`

/** What the page may load and where its form may lead: also on to the portal, when that is another origin. */
export const policy = (next: string | null | undefined) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `form-action 'self'${next ? ` ${new URL(next).origin}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
