import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { sendInvalidLink, sendMailPage } from '#server/mail/mail-page.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { isSigned, type StopLink } from '#server/outbox/stop-link.ts'
import type { World } from '#server/ports/world.ts'
import { type ContactRow, deleteStop, findStop, holdUntilAgreed, insertStop, isOwnAddress } from './contacts.store.ts'

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
  const isDone = link.does === 'stop' ? stop !== undefined && !stop.isAsked : stop === undefined
  const asks = stop?.isAsked && link.does === 'allow' ? 'agree' : link.does
  if (method === 'GET') return sendPage(reply, language, { does, asks, email: link.email, isDone })
  await world.db.write([`account:${link.account}`], (tx) =>
    link.does === 'stop' ? insertStop(tx, { ...address, stoppedAt: world.clock.now() }) : deleteStop(tx, address),
  )
  return sendPage(reply, language, { does, asks, email: link.email, isDone: true })
}

function buildLink(does: StopLink['does'], { account, to: email, since }: z.output<typeof Query>): StopLink | undefined {
  if (does === 'stop') return { does, account, email }
  return since === undefined ? undefined : { does, account, email, stoppedAt: since }
}

type View = { does: StopLink['does']; asks: StopLink['does'] | 'agree'; email: string; isDone: boolean }

function sendPage(reply: FastifyReply, language: Language, { does, asks, email, isDone }: View) {
  const t = createTranslate(language)
  if (isDone) return sendMailPage(reply, language, { title: t(`${does}.done`), text: t(`${does}.doneText`, { email }) })
  return sendMailPage(reply, language, { title: t(`${asks}.title`), text: t(`${asks}.text`, { email }), submit: t(`${asks}.submit`) })
}

/** The most mails that ask a person. */
const ASK_LIMIT = { max: 1, windowMinutes: 24 * 60 }

type Asked = Pick<ContactRow, 'accountId' | 'email'>

/**
 * Mails a contact a link that allows alert mails: one who has unsubscribed, or who has not agreed yet. Throws `no_change` for one who gets
 * them, `email_unconfirmed` if the owner has not confirmed the own address, and `throttled`.
 */
export async function askContact({ db, clock }: Pick<World, 'db' | 'clock'>, { stoppedAt, isAsked, ...contact }: ContactRow) {
  if (!stoppedAt) throw new Failure('no_change')
  await db.write([`account:${contact.accountId}`], (tx) => mailQuestion(tx, contact, { stoppedAt, isAsked: isAsked === true }, clock.now()))
}

/** Holds alert mails to a new contact back until the person agrees, and asks; not for an address that a user of the account has confirmed. */
export async function askNewContact(tx: Tx, contact: Asked, now: Date) {
  if (await isOwnAddress(tx, contact)) return
  const isNew = await holdUntilAgreed(tx, contact, now)
  const owner = await findAccountOwner(tx, contact.accountId)
  if (isNew && owner?.emailConfirmed) await mailQuestion(tx, contact, { stoppedAt: now, isAsked: true }, now)
}

async function mailQuestion(tx: Tx, { accountId, email }: Asked, stop: { stoppedAt: Date; isAsked: boolean }, now: Date) {
  const owner = await findAccountOwner(tx, accountId)
  if (!owner) throw new Failure('not_found')
  if (!owner.emailConfirmed) throw new Failure('email_unconfirmed')
  await countAttempt(tx, `ask_again:${accountId}:${sha256(email)}`, ASK_LIMIT, now)
  const data = { owner: owner.firstName, account: String(accountId), since: String(stop.stoppedAt.getTime()) }
  await queueMail(tx, { to: email, template: stop.isAsked ? 'ask_alerts' : 'allow_alerts', ...recipientColumns(owner), data, now })
}
