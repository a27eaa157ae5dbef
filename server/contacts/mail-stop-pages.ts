import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LANGUAGES, type Language } from '#contracts/lib/constants.ts'
import { ownerOf } from '#db/people.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { createTranslate, type MailKey } from '#server/mail/mail-translate.ts'
import { isSigned, type StopLink } from '#server/mail/stop-link.ts'
import { deleteStop, findStop, insertStop } from './mail-stops.store.ts'

const Query = z.object({
  account: z.coerce.number().check(z.int(), z.positive()),
  to: z.string().check(z.maxLength(254)),
  since: z.optional(z.coerce.number().check(z.int())),
  language: z.catch(z.enum(LANGUAGES), 'en'),
  key: z.string().check(z.maxLength(100)),
})

/**
 * The pages behind the links in alert mails. A GET only asks, because programs open links of mails; the POST does it, from the page or from
 * a mail program at one click (RFC 8058).
 */
export async function registerMailStopPages(app: FastifyInstance) {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'buffer' }, (_, _body, done) => done(null, null))
    for (const does of ['stop', 'allow'] as const) {
      pages.route({
        method: ['GET', 'POST'],
        url: `/mail/${does}/`,
        config: { rateLimit: {} },
        handler: (request, reply) => answer(does, request, reply),
      })
    }
  })
}

async function answer(does: StopLink['does'], request: FastifyRequest, reply: FastifyReply) {
  const { world, method, query } = request
  const parsed = Query.safeParse(query)
  const link = parsed.success ? buildLink(does, parsed.data) : undefined
  const language = parsed.success ? parsed.data.language : 'en'
  if (!parsed.success || !link || !isSigned(world, link, parsed.data.key)) return sendInvalid(reply, language)
  const address = { accountId: link.account, email: link.email }
  const stop = await findStop(world.db.read, address)
  if (!(await ownerOf(world.db.read, link.account))) return sendInvalid(reply, language)
  // A link that allows is for the stop it was mailed after, not for a later one.
  if (stop && link.does === 'allow' && link.stoppedAt !== stop.stoppedAt.getTime()) return sendInvalid(reply, language)
  const isDone = link.does === 'stop' ? stop !== undefined : stop === undefined
  if (method === 'GET') return sendPage(reply, language, { does, email: link.email, isDone })
  await world.db.write((tx) =>
    link.does === 'stop' ? insertStop(tx, { ...address, stoppedAt: world.clock.now() }) : deleteStop(tx, address),
  )
  return sendPage(reply, language, { does, email: link.email, isDone: true })
}

function buildLink(does: StopLink['does'], { account, to: email, since }: z.output<typeof Query>): StopLink | undefined {
  if (does === 'stop') return { does, account, email }
  return since === undefined ? undefined : { does, account, email, stoppedAt: since }
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:48px 16px;background:#f6f7f8;color:#12181f;font:16px/1.5 system-ui,sans-serif}
main{max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e4e7eb;border-radius:12px;overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:22px;line-height:1.3}p{margin:0 0 20px}button{min-height:44px;padding:0 20px;border:0;border-radius:8px;background:#0f766e;color:#fff;font:600 16px system-ui,sans-serif;cursor:pointer}
button:focus-visible{outline:3px solid #5eead4;outline-offset:2px}
@media(prefers-color-scheme:dark){body{background:#12161b;color:#e6eaf0}main{background:#1b2129;border-color:#2f3843}}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type View = { does: StopLink['does']; email: string; isDone: boolean }

function sendPage(reply: FastifyReply, language: Language, { does, email, isDone }: View) {
  const t = createTranslate(language)
  if (isDone) return sendHtml(reply, language, { title: t(`${does}.done`), text: t(`${does}.doneText`, { email }) })
  return sendHtml(reply, language, { title: t(`${does}.title`), text: t(`${does}.text`, { email }), submit: t(`${does}.submit`) })
}

const sendInvalid = (reply: FastifyReply, language: Language) => {
  const t = createTranslate(language)
  return sendHtml(reply.code(404), language, { title: t('stop.invalid' satisfies MailKey), text: t('stop.invalidText') })
}

type Page = { title: string; text: string; submit?: string }

const sendHtml = (reply: FastifyReply, language: Language, { title, text, submit }: Page) =>
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
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${submit ? `<form method="post"><button>${escapeHtml(submit)}</button></form>` : ''}</main></body>
</html>
`)
