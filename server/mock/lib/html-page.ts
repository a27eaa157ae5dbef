import type { FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { pickLanguage } from '#contracts/rules/user.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** `style` is the URL of the stylesheet, `look` a class of the body; `body` is HTML. */
type Page = { lang: string; title: string; style: string; look?: string; body: string }

export const renderHtmlPage = ({ lang, title, style, look, body }: Page) => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body${look ? ` class="${look}"` : ''}>
${body}
</body>
</html>
`

/** Sends a page under a content security policy that allows no scripts; never cached. */
export const sendPage = (reply: FastifyReply, html: string, policy = PAGE_POLICY) =>
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send(html)

export const preferredLanguage = ({ headers }: FastifyRequest): Language =>
  pickLanguage((headers['accept-language'] ?? LANGUAGES[0]).split(',').map((part) => part.trim()))
