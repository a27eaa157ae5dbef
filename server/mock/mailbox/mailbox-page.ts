import type { Language } from '#contracts/lib/constants.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { type Say, speak } from '#server/mail/mail-words.ts'
import { pageOf } from '#server/mock/lib/page.ts'
import type { Mail } from './mailbox-handlers.ts'

/** `mail` is the open one; null when the requested one does not exist. */
type View = { mails: Mail[]; to: string | undefined; language: Language; mail?: Mail | null }

/** The list of mails beside the open one; a narrow screen shows only one of them. */
export function renderMailboxPage({ mails, to, language, mail }: View) {
  const say = speak(language)
  const filter = to ? `?to=${encodeURIComponent(to)}` : ''
  return pageOf({
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

const renderSearch = (say: Say, to: string | undefined) =>
  `<form action="/mock/mailbox"><label>${escapeHtml(say('mailbox.recipient'))}<input name="to" type="email" value="${escapeHtml(to ?? '')}"></label><button>${escapeHtml(say('mailbox.show'))}</button></form>`

function renderList(mails: Mail[], { filter, language, open }: { filter: string; language: Language; open: number | undefined }) {
  const rows = mails.map(
    ({ id, subject, to, created_at, language: spoken }) =>
      `<li><a href="/mock/mailbox/${id}${filter}"${id === open ? ' aria-current="page"' : ''}><strong lang="${spoken}">${escapeHtml(subject)}</strong><span>${escapeHtml(to)}</span>${renderTime(created_at, language)}</a></li>`,
  )
  return `<ul>\n${rows.join('\n')}\n</ul>`
}

const renderMail = ({ id, subject, to, created_at, language: spoken, text }: Mail, say: Say, language: Language) => `<article>
<h2 lang="${spoken}">${escapeHtml(subject)}</h2>
<p class="head"><span>${escapeHtml(to)}</span> ${renderTime(created_at, language)} UTC</p>
<iframe src="/mock/mailbox/${id}/html" title="${escapeHtml(subject)}" sandbox="allow-top-navigation-by-user-activation"></iframe>
<details><summary>${escapeHtml(say('mailbox.plain'))}</summary><pre lang="${spoken}">${linkUrls(escapeHtml(text))}</pre></details>
</article>`

/** Makes links of URLs; the text must already be escaped. */
const linkUrls = (escaped: string) => escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const renderTime = (instant: string, language: Language) =>
  `<time datetime="${instant}">${escapeHtml(new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(instant)))}</time>`
