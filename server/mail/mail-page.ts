import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Language } from '#contracts/lib/languages.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { createTranslate } from './mail-translate.ts'

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:48px 16px;background:#f6f7f8;color:#12181f;font:16px/1.5 system-ui,sans-serif}
main{max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e4e7eb;border-radius:12px;overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:22px;line-height:1.3}p{margin:0 0 20px}button{min-height:44px;padding:0 20px;border:0;border-radius:8px;background:#0f766e;color:#fff;font:600 16px system-ui,sans-serif;cursor:pointer}
label{display:block;margin:0 0 16px;font-weight:600}input{display:block;box-sizing:border-box;width:100%;min-height:44px;margin-top:4px;padding:0 12px;border:1px solid #8a95a3;border-radius:8px;background:transparent;color:inherit;font:16px system-ui,sans-serif}
button:focus-visible,input:focus-visible{outline:3px solid #5eead4;outline-offset:2px}
@media(prefers-color-scheme:dark){body{background:#12161b;color:#e6eaf0}main{background:#1b2129;border-color:#2f3843}}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A field of the form; hidden without a label. */
export type PageField = { name: string; value: string; label?: string; isOptional?: boolean }

export type MailPage = { title: string; text: string; submit?: string; fields?: readonly PageField[] }

const writeField = ({ name, value, label, isOptional }: PageField) =>
  label === undefined
    ? `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
    : `<label>${escapeHtml(label)}<input name="${name}" value="${escapeHtml(value)}"${isOptional ? '' : ' required'}></label>`

/** A page that a link in a mail opens, in the language of the mail; `submit` is the label of a button that posts to the same address. */
export const sendMailPage = (reply: FastifyReply, language: Language, { title, text, submit, fields = [] }: MailPage) =>
  reply
    .headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${submit ? `<form method="post">${fields.map(writeField).join('')}<button>${escapeHtml(submit)}</button></form>` : ''}</main></body>
</html>
`)

/** 404: a link that is incomplete, used or too old. */
export function sendInvalidLink(reply: FastifyReply, language: Language) {
  const t = createTranslate(language)
  return sendMailPage(reply.code(404), language, { title: t('stop.invalid'), text: t('stop.invalidText') })
}
