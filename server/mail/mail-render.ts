import type { SendMailOptions } from 'nodemailer'
import { buildWithdrawalPath } from '#contracts/billing/withdrawal.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import { buildMailedInvoice, type InvoicePorts } from '#server/billing/paper/invoice-file.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import type { MailRow } from '#server/outbox/outbox.store.ts'
import { buildStopUrl } from '#server/outbox/stop-link.ts'
import { readPhoto } from '#server/photos/photo-files.ts'
import { drawMapPicture } from '#server/pictures/map-picture.ts'
import type { World } from '#server/ports/world.ts'
import type { Letter } from './letter-parts.ts'
import { buildLetter } from './mail-letters.ts'
import { createTranslate, type Translate } from './mail-translate.ts'

export type RenderedMail = { subject: string; text: string; html: string; links: string[]; stopUrl: string | undefined }

type Mail = { to?: string; template: string; language: Language; timeZone?: string | null; data: Record<string, string> }

/** Renders a mail of the outbox in its language, as plain text and as simple HTML. */
export function renderMail(
  { to, template, language, timeZone = null, data }: Mail,
  world: MailWorld,
  /** URL of the picture of the map, if there is one. */
  mapUrl?: string,
): RenderedMail {
  const { origin, productName: product } = world
  const t = createTranslate(language)
  const { stopUrl, allowUrl } = buildStopUrls(world, { to, template, language, data })
  const letter = buildLetter(template, { data, language, timeZone, origin, allowUrl })
  const footer = t('layout.automatic', { product })
  const withdrawUrl = buildWithdrawUrl(world, { template, language, data })
  return {
    subject: letter.subject,
    text: formatText(letter, { t, footer, stopUrl, withdrawUrl }),
    html: formatHtml(letter, { t, footer, language, product, mapUrl, stopUrl, withdrawUrl }),
    links: letter.action ? [letter.action.url] : [],
    stopUrl,
  }
}

type MailWorld = Pick<World, 'origin' | 'productName' | 'secondFactor' | 'withdraws'>

/** The page on which customers withdraw, for mails about what they have bought. */
function buildWithdrawUrl({ origin, withdraws }: MailWorld, { template, language, data }: Pick<Mail, 'template' | 'language' | 'data'>) {
  const reference = template === 'receipt' ? data.number : template === 'order_shipped' ? data.order : undefined
  return withdraws && reference ? origin + buildWithdrawalPath(language, reference) : undefined
}

/** Links for the recipient, who needs no account: to unsubscribe from alert mails, or to subscribe again. */
function buildStopUrls(world: MailWorld, { to: email, template, language, data }: Pick<Mail, 'to' | 'template' | 'language' | 'data'>) {
  const account = Number(data.account)
  if (!email || !account) return {}
  if (template === 'allow_alerts' || template === 'ask_alerts')
    return { allowUrl: buildStopUrl(world, { does: 'allow', account, email, stoppedAt: Number(data.since) }, language) }
  return { stopUrl: buildStopUrl(world, { does: 'stop', account, email }, language) }
}

type TextLayout = Pick<Layout, 't' | 'footer' | 'stopUrl' | 'withdrawUrl'>

function formatText({ heading, paragraphs, code, action, facts, notes }: Letter, { t, footer, stopUrl, withdrawUrl }: TextLayout) {
  const blocks = [
    heading,
    ...paragraphs,
    ...(code ? [code] : []),
    ...(action ? [`${action.label}\n${action.url}`] : []),
    facts.map((fact) => t('layout.fact', fact)).join('\n'),
    notes.join('\n'),
    ...(withdrawUrl ? [`${t('withdraw.title')}\n${withdrawUrl}`] : []),
    ...(stopUrl ? [`${t('layout.stop')}\n${stopUrl}`] : []),
    `-- \n${footer}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const style = {
  body: "margin:0;padding:24px 16px;background:#f6f7f8;color:#12181f;font:16px/1.5 Inter,-apple-system,system-ui,'Segoe UI',Roboto,sans-serif",
  card: 'max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e4e7eb;border-radius:12px',
  brand: 'margin:0 0 24px;color:#0f766e;font-weight:600',
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  code: 'margin:24px 0;font:600 24px/1.2 ui-monospace,monospace;letter-spacing:2px',
  button: 'display:inline-block;padding:12px 20px;background:#0f766e;color:#fff;border-radius:8px;font-weight:600;text-decoration:none',
  quiet: 'color:#56616e;font-size:14px;overflow-wrap:anywhere',
  map: 'display:block;width:100%;height:auto;border-radius:8px',
  fact: 'padding:4px 16px 4px 0;text-align:left;vertical-align:top',
}

/** Overrides inline styles in mail programs that follow a dark system. */
const DARK = `:root{color-scheme:light dark}@media(prefers-color-scheme:dark){
body{background:#12161b!important;color:#e6eaf0!important}.card{background:#1b2129!important;border-color:#2f3843!important}
.brand{color:#5eead4!important}.quiet,th{color:#a3adba!important;border-color:#2f3843!important}}`

type Layout = {
  t: Translate
  footer: string
  language: Language
  product: string
  mapUrl?: string | undefined
  stopUrl?: string | undefined
  withdrawUrl?: string | undefined
}

const formatQuietLink = (url: string, label: string) =>
  `<p class="quiet" style="${style.quiet}"><a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a></p>`

/** Tables and inline styles, which every mail program shows, and at most one picture. */
function formatHtml({ subject, heading, paragraphs, code, action, facts, notes, map }: Letter, layout: Layout) {
  const { t, footer, language, product, mapUrl, stopUrl, withdrawUrl } = layout
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th style="${style.fact};color:#56616e;font-weight:400">${escapeHtml(label)}</th><td style="${style.fact}">${escapeHtml(value)}</td></tr>`,
  )
  const main = [
    `<p class="brand" style="${style.brand}">${escapeHtml(product)}</p>`,
    `<h1 style="${style.title}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(map && mapUrl ? [`<p style="margin:0 0 16px"><img src="${mapUrl}" alt="${escapeHtml(map)}" style="${style.map}"></p>`] : []),
    ...(code ? [`<p style="${style.code}">${escapeHtml(code)}</p>`] : []),
    ...(action
      ? [`<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="${style.button}">${escapeHtml(action.label)}</a></p>`]
      : []),
    ...(rows.length > 0 ? [`<table style="margin:16px 0;border-collapse:collapse">${rows.join('')}</table>`] : []),
    ...notes.map((text) => `<p class="quiet" style="${style.quiet}">${escapeHtml(text)}</p>`),
    ...(withdrawUrl ? [formatQuietLink(withdrawUrl, t('withdraw.title'))] : []),
    ...(stopUrl ? [formatQuietLink(stopUrl, t('layout.stop'))] : []),
    ...(action ? [`<p class="quiet" style="${style.quiet}">${escapeHtml(t('layout.button'))}<br>${escapeHtml(action.url)}</p>`] : []),
    `<p class="quiet" style="${style.quiet};margin:24px 0 0;border-top:1px solid #e4e7eb;padding-top:16px">${escapeHtml(footer)}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${DARK}</style><title>${escapeHtml(subject)}</title></head>
<body style="${style.body}"><div class="card" style="${style.card}">
${main.join('\n')}
</div></body>
</html>
`
}

const MAP_SIZE = { width: 1040, height: 520 }

/** The map of an alert as JPEG; undefined when it cannot be drawn, because a mail must not depend on its picture. */
export async function drawMailMap({ map, db }: Pick<World, 'map' | 'db'>, { lat, lng, precision, kind, photo }: Record<string, string>) {
  if (!map || lat === undefined || lng === undefined) return undefined
  const pin = {
    lat: Number(lat),
    lng: Number(lng),
    precision: Number(precision) || null,
    kind: pickListed(KINDS, kind ?? 'other', 'other'),
    photo: await readPhoto(db.read, photo, 'small'),
  }
  return drawMapPicture(map, { ...MAP_SIZE, format: 'jpeg', pins: [pin] }).catch(() => undefined)
}

/** Sender address when none is configured; the product is its display name. */
const DEFAULT_SENDER = 'no-reply@example.com'

type Sending = { from?: string | undefined; date: Date }

export type MailPorts = MailWorld & Pick<World, 'id' | 'map'> & InvoicePorts

/** Builds the message of an outbox row, to be sent or saved as a file. */
export async function buildMessage(world: MailPorts, mail: MailRow, { from, date }: Sending) {
  const map = await drawMailMap(world, mail.data)
  const invoice = await buildMailedInvoice(world, mail.data, mail.language)
  const { subject, text, html, stopUrl } = renderMail(mail, world, map && 'cid:map')
  const attachments = [
    ...(map ? [{ filename: 'map.jpg', content: map, cid: 'map', contentDisposition: 'inline' as const }] : []),
    ...(invoice ? [{ ...invoice, contentType: 'application/pdf' }] : []),
  ]
  return {
    from: from ?? { name: world.productName, address: DEFAULT_SENDER },
    to: { name: '', address: mail.to },
    subject,
    text,
    html,
    ...(attachments.length > 0 && { attachments }),
    date,
    // The same at each attempt, so that a receiver can drop the duplicate when a sent mail was not recorded as sent.
    messageId: `<${world.id}-${mail.id}-${mail.createdAt.getTime()}@${new URL(world.origin).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(stopUrl && { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  } satisfies SendMailOptions
}
