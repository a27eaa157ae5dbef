import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '#contracts/lib/languages.ts'
import { mail } from '#contracts/mock/mail.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { serve } from '#server/http/serve.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { createTranslate, type Translate } from '#server/mail/mail-translate.ts'
import { preferredLanguage, renderHtmlPage, sendPage } from '#server/mock/lib/html-page.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { findMailInBox, findMailPage, listMailbox, type Mail, mails } from './mailbox.handlers.ts'

/** A separate file, because the page's policy forbids inline styles. */
export const mailboxCss = `
:root { color-scheme: light dark; --bg: #fff; --bg-2: #f6f7f8; --line: #e4e7eb; --text: #12181f; --text-2: #56616e; --field: #8a95a3; --accent: #0f766e; --accent-soft: #d8efec; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #12161b; --bg-2: #1a2027; --line: #2a323c; --text: #edf1f5; --text-2: #9aa6b4; --field: #66727f; --accent: #2dd4bf; --accent-soft: #12332f; --on-accent: #06201d; }
}
* { box-sizing: border-box; }
body { display: grid; grid-template-columns: 380px 1fr; height: 100dvh; margin: 0; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Hiragino Sans", "Noto Sans JP", sans-serif; }
nav { overflow-y: auto; border-inline-end: 1px solid var(--line); background: var(--bg-2); }
header { padding: 24px 20px 0; }
h1 { margin: 0; font-size: 22px; }
h1 a { color: inherit; text-decoration: none; }
header p { margin: 4px 0 0; color: var(--text-2); font-size: 14px; }
form { display: flex; gap: 8px; align-items: end; padding: 16px 20px; }
label { flex: 1; color: var(--text-2); font-size: 14px; }
input { display: block; width: 100%; min-height: 44px; margin-top: 4px; padding: 8px 12px; border: 1px solid var(--field); border-radius: 8px; background: var(--bg); color: var(--text); font: inherit; font-size: 16px; }
button { min-height: 44px; padding: 8px 16px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
ul { margin: 0; padding: 0 12px 24px; list-style: none; }
li a { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 12px; border-radius: 8px; color: inherit; text-decoration: none; }
li a:hover { background: var(--line); }
li a[aria-current] { background: var(--accent-soft); }
li strong { grid-column: 1 / -1; overflow-wrap: anywhere; font-weight: 600; }
li span, time { color: var(--text-2); font-size: 14px; overflow-wrap: anywhere; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
main { overflow-y: auto; padding: 24px; }
article { display: flex; flex-direction: column; max-width: 760px; min-height: 100%; margin: 0 auto; }
h2 { margin: 0; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; }
.head { display: flex; flex-wrap: wrap; gap: 0 16px; margin: 4px 0 16px; color: var(--text-2); }
.back { display: none; margin: 0 0 16px; }
.none { padding: 48px 20px; color: var(--text-2); text-align: center; }
.gate { display: block; }
.gate main { max-width: 480px; margin: 10vh auto 0; }
.gate header, .gate form { padding-inline: 0; }
.gate form { flex-wrap: wrap; }
.gate label { flex-basis: 200px; }
.wrong { margin: 0; color: var(--text); font-weight: 600; }
iframe { flex: 1; width: 100%; min-height: 480px; border: 1px solid var(--line); border-radius: 12px; background: #f6f7f8; }
details { margin-top: 16px; }
summary { min-height: 44px; padding: 10px 0; cursor: pointer; }
pre { margin: 0; padding: 16px; overflow-wrap: anywhere; border-radius: 8px; background: var(--bg-2); font: 14px/1.6 ui-monospace, monospace; white-space: pre-wrap; }
main a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 760px) {
  body { display: block; height: auto; }
  nav { min-height: 100dvh; border: 0; }
  .listing main, .reading nav { display: none; }
  main { padding: 16px; }
  .back { display: block; }
  iframe { min-height: 72dvh; }
}
`

/** `mail` is the open one; null when the requested one does not exist. */
type View = { mails: Mail[]; to: string | undefined; language: Language; mail?: Mail | null }

/** The list of mails next to the open one; a narrow screen shows only one of them. */
function renderMailboxPage({ mails, to, language, mail }: View) {
  const say = createTranslate(language)
  const filter = to ? `?to=${encodeURIComponent(to)}` : ''
  return renderHtmlPage({
    lang: language,
    title: mail ? mail.subject : say('mailbox.title'),
    style: '/mock/mailbox/style.css',
    look: mail === undefined ? 'listing' : 'reading',
    body: `<nav aria-label="${escapeHtml(say('mailbox.all'))}">
<header><h1><a href="/mock/mailbox">${escapeHtml(say('mailbox.title'))}</a></h1><p>${escapeHtml(say('mailbox.lead'))}</p></header>
${renderSearch(say, to)}
${mails.length === 0 ? `<p class="none">${escapeHtml(say('mailbox.empty'))}</p>` : renderList(mails, { filter, language, open: mail?.id })}
</nav>
<main>
<p class="back"><a href="/mock/mailbox${filter}">${escapeHtml(say('mailbox.all'))}</a></p>
${mail ? renderMail(mail, say, language) : `<p class="none">${escapeHtml(say(mail === null ? 'mailbox.unknown' : 'mailbox.choose'))}</p>`}
</main>`,
  })
}

const renderSearch = (say: Translate, to: string | undefined) =>
  `<form action="/mock/mailbox"><label>${escapeHtml(say('mailbox.recipient'))}<input name="to" type="email" value="${escapeHtml(to ?? '')}"></label><button>${escapeHtml(say('mailbox.show'))}</button></form>`

function renderList(mails: Mail[], { filter, language, open }: { filter: string; language: Language; open: number | undefined }) {
  const rows = mails.map(
    ({ id, subject, to, created_at, language: spoken }) =>
      `<li><a href="/mock/mailbox/${id}${filter}"${id === open ? ' aria-current="page"' : ''}><strong lang="${spoken}">${escapeHtml(subject)}</strong><span>${escapeHtml(to)}</span>${renderTime(created_at, language)}</a></li>`,
  )
  return `<ul>\n${rows.join('\n')}\n</ul>`
}

const renderMail = ({ id, subject, to, created_at, language: spoken, text }: Mail, say: Translate, language: Language) => `<article>
<h2 lang="${spoken}">${escapeHtml(subject)}</h2>
<p class="head"><span>${escapeHtml(to)}</span> ${renderTime(created_at, language)} UTC</p>
<iframe src="/mock/mailbox/${id}/html" title="${escapeHtml(subject)}" sandbox="allow-top-navigation-by-user-activation"></iframe>
<details><summary>${escapeHtml(say('mailbox.plain'))}</summary><pre lang="${spoken}">${linkUrls(escapeHtml(text))}</pre></details>
</article>`

const linkUrls = (escaped: string) => escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const renderTime = (instant: string, language: Language) =>
  `<time datetime="${instant}">${escapeHtml(new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(instant)))}</time>`

/**
 * Mail programs support only inline styles, so mails use them. A mail can run, load, send and frame nothing; a click on a link leaves it.
 * The mailbox may frame it, and the map is part of the mail.
 */
const MAIL_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')

type Listed = { Querystring: { to?: string } }
type Named = Listed & { Params: { id: string } }

/** Mounts the mailbox of a world: JSON for tests, pages for people. */
export function mountMailbox(app: FastifyInstance, worlds: MockWorlds) {
  serve(app, mail, mails(worlds))
  showInBrowser(app)

  app.get<Listed>('/mock/mailbox', async (request, reply) => sendPage(reply, renderMailboxPage(await buildView(request))))

  app.get<Named>('/mock/mailbox/:id', async (request, reply) => {
    const mail = await findMailInBox(request.world, parseId(request))
    return sendPage(reply.code(mail ? 200 : 404), renderMailboxPage({ ...(await buildView(request)), mail: mail ?? null }))
  })

  app.get<Named>('/mock/mailbox/:id/html', async (request, reply) => {
    const page = await findMailPage(request.world, parseId(request))
    const html = page?.replace('<head>', '<head><base target="_top">') ?? ''
    return sendPage(reply.code(page ? 200 : 404).header('x-frame-options', 'SAMEORIGIN'), html, MAIL_POLICY)
  })
}

/** Displays a mail in the browser instead of saving it, under the same policy as in its frame. */
const showInBrowser = (app: FastifyInstance) =>
  app.addHook('onSend', async ({ routeOptions: { config } }, reply) => {
    const { route } = config
    if (route !== mail.html && route !== mail.text && route !== mail.preview) return
    if (reply.statusCode === 200)
      reply
        .headers({ 'content-disposition': 'inline', 'content-security-policy': MAIL_POLICY })
        .type(`${reply.getHeader('content-type')}; charset=utf-8`)
  })

async function buildView(request: FastifyRequest<Listed>) {
  const to = normalizeAddress(request.query.to ?? '') || undefined
  return { mails: await listMailbox(request.world, { to }), to, language: preferredLanguage(request) }
}

/** Anything except a whole number matches no mail. */
const parseId = ({ params: { id } }: FastifyRequest<Named>) => (/^\d{1,15}$/.test(id) ? Number(id) : -1)
