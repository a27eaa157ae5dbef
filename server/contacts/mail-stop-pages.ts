import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { findAccountOwner } from '#db/people.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { sendInvalidLink, sendMailPage } from '#server/mail/mail-page.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { isSigned, type StopLink } from '#server/outbox/stop-link.ts'
import type { World } from '#server/ports/world.ts'
import { type ContactRow, deleteStop, findStop, insertStop } from './contacts.store.ts'

const Query = z.object({
  account: z.coerce.number().check(z.int(), z.positive()),
  to: z.string().check(z.maxLength(254)),
  since: z.optional(z.coerce.number().check(z.int())),
  language: z.catch(z.enum(LANGUAGES), 'en'),
  key: z.string().check(z.maxLength(100)),
})

/**
 * The pages behind the links in alert mails. GET only asks for confirmation, because programs open links of mails; POST changes the
 * setting, from the page or from a mail program at one click (RFC 8058).
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
  if (!parsed.success || !link || !isSigned(world, link, parsed.data.key)) return sendInvalidLink(reply, language)
  const address = { accountId: link.account, email: link.email }
  const stop = await findStop(world.db.read, address)
  if (!(await findAccountOwner(world.db.read, link.account))) return sendInvalidLink(reply, language)
  // A link to subscribe again is valid for the opt-out it was mailed after, not for a later one.
  if (stop && link.does === 'allow' && link.stoppedAt !== stop.stoppedAt.getTime()) return sendInvalidLink(reply, language)
  const isDone = link.does === 'stop' ? stop !== undefined : stop === undefined
  if (method === 'GET') return sendPage(reply, language, { does, email: link.email, isDone })
  await world.db.write([`account:${link.account}`], (tx) =>
    link.does === 'stop' ? insertStop(tx, { ...address, stoppedAt: world.clock.now() }) : deleteStop(tx, address),
  )
  return sendPage(reply, language, { does, email: link.email, isDone: true })
}

function buildLink(does: StopLink['does'], { account, to: email, since }: z.output<typeof Query>): StopLink | undefined {
  if (does === 'stop') return { does, account, email }
  return since === undefined ? undefined : { does, account, email, stoppedAt: since }
}

type View = { does: StopLink['does']; email: string; isDone: boolean }

function sendPage(reply: FastifyReply, language: Language, { does, email, isDone }: View) {
  const t = createTranslate(language)
  if (isDone) return sendMailPage(reply, language, { title: t(`${does}.done`), text: t(`${does}.doneText`, { email }) })
  return sendMailPage(reply, language, { title: t(`${does}.title`), text: t(`${does}.text`, { email }), submit: t(`${does}.submit`) })
}

/** The most mails that ask an unsubscribed person. */
const ASK_LIMIT = { max: 1, windowMinutes: 24 * 60 }

/** Mails an unsubscribed contact a link to subscribe again. Throws `no_change` for a subscribed one, and `throttled`. */
export async function askContact({ db, clock }: Pick<World, 'db' | 'clock'>, { accountId, email, stoppedAt }: ContactRow) {
  if (!stoppedAt) throw new Failure('no_change')
  await db.write([`account:${accountId}`], async (tx) => {
    const now = clock.now()
    const owner = await findAccountOwner(tx, accountId)
    if (!owner) throw new Failure('not_found')
    await countAttempt(tx, `ask_again:${accountId}:${sha256(email)}`, ASK_LIMIT, now)
    const data = { owner: owner.firstName, account: String(accountId), since: String(stoppedAt.getTime()) }
    await queueMail(tx, { to: email, template: 'allow_alerts', ...recipientColumns(owner), data, now })
  })
}
