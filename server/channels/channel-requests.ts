import { createHmac } from 'node:crypto'
import type { Language } from '#contracts/lib/languages.ts'
import type { DeliveryContent } from '#db/schema/messages.ts'
import { alertTitle } from '#server/mail/alert-title.ts'
import { formatMoment } from '#server/mail/letter-parts.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import type { ReceiverRequest } from '#server/ports/receivers.ts'

const TELEGRAM = 'https://api.telegram.org'
/** Priorities of ntfy: the default, and the highest, which also breaks through its quiet settings. */
const NTFY_PRIORITY = { usual: 3, urgent: 5 }

type Place = { origin: string; productName: string }
type Message = Place & {
  /** Names the delivery: the same at each attempt, so that a receiver can ignore a repeated one. */
  id: string
  content: DeliveryContent
  isUrgent: boolean
  createdAt: Date
  now: Date
  language: Language
  timeZone: string | null
}
type To = { kind: 'webhook' | 'telegram' | 'ntfy'; target: string; secret: string | null }

/** The request that delivers a message to a channel. */
export function buildRequest(to: To, message: Message): ReceiverRequest {
  if (to.kind === 'webhook') return buildWebhook(to, message)
  return to.kind === 'telegram' ? buildTelegram(to, message) : buildNtfy(to, message)
}

/** Signed as Standard Webhooks says: HMAC-SHA256 of `id.timestamp.body` with the key of the secret (standardwebhooks.com). */
function buildWebhook({ target, secret }: To, message: Message): ReceiverRequest {
  const { id, content, createdAt, now } = message
  const { type, ...data } = content
  const body = JSON.stringify({
    type: content.type === 'alert' ? `alert.${content.kind}` : type,
    timestamp: createdAt.toISOString(),
    data: { ...data, ...(content.type === 'alert' && { url: linkOf(message) }) },
  })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { url: target, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }, body }
}

/** `sendMessage` of the Bot API (core.telegram.org/bots/api). Plain text, so that no name can format it. */
function buildTelegram({ target, secret }: To, message: Message): ReceiverRequest {
  const text = [titleOf(message), bodyOf(message), linkOf(message)].filter(Boolean).join('\n')
  const body = JSON.stringify({ chat_id: target, text, link_preview_options: { is_disabled: true } })
  return { url: `${TELEGRAM}/bot${secret}/sendMessage`, headers: {}, body }
}

/** Publishes JSON at the root of the topic's server (docs.ntfy.sh/publish). A repeated message replaces the one with its `sequence_id`. */
function buildNtfy({ target, secret }: To, message: Message): ReceiverRequest {
  const { origin, pathname } = new URL(target)
  const [title, text, click] = [titleOf(message), bodyOf(message), linkOf(message)]
  const body = JSON.stringify({
    topic: pathname.slice(1),
    title,
    message: text || title,
    priority: message.isUrgent ? NTFY_PRIORITY.urgent : NTFY_PRIORITY.usual,
    sequence_id: message.id,
    ...(click && { click }),
  })
  return { url: `${origin}/`, headers: secret ? { authorization: `Bearer ${secret}` } : {}, body }
}

const linkOf = ({ content, origin }: Pick<Message, 'content' | 'origin'>) =>
  content.type === 'alert' ? `${origin}/trackers/${content.device.id}` : ''

/** One line: what happened, or what the message is for. */
export function titleOf({ content, language, productName }: Pick<Message, 'content' | 'language' | 'productName'>) {
  if (content.type === 'alert') {
    const { kind, device, other, distance, place, rule } = content
    return alertTitle(language, { kind, tracker: device.name, other: other?.name, distance, place: place?.name, rule })
  }
  return content.type === 'code' ? createTranslate(language)('channel.code', { product: productName, code: content.code }) : productName
}

/** Where and when it happened, in the language and zone of the user. */
function bodyOf({ content, language, timeZone }: Message) {
  if (content.type === 'test') return createTranslate(language)('channel.test')
  if (content.type === 'code') return createTranslate(language)('channel.ignore')
  return [content.address, formatMoment({ language, timeZone }, content.at)].filter(Boolean).join(' · ')
}
