import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { deleteTokens } from '#server/accounts/api-tokens/api-tokens.store.ts'
import { removeFactorsSince } from '#server/accounts/factors/factors.store.ts'
import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { getSignedInUser, verifyPassword } from '#server/accounts/sessions/sign-in.ts'
import type { UserRow } from '#server/accounts/users/users.present.ts'
import { isLoginTaken } from '#server/accounts/users/users.store.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { buildContext } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { sendInvalidLink, sendMailPage } from '#server/mail/mail-page.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { expireKeys, expireLaterKeys } from '#server/outbox/mail-keys.store.ts'
import { CONFIRMATION_EMAILS_PER_HOUR, consumeKey, EMAIL_KEY_HOURS, getValidKey, issueKey, keyLock } from '#server/outbox/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { HandlerContext, ViewerContext, World } from '#server/ports/world.ts'
import { deleteOtherSessions } from '#server/security/security.store.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { replaceEmail } from './confirmations.store.ts'

const EMAIL_CHANGE_LIMIT = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

/**
 * Mails a link to the new address, and a notice to the current one with a link that reverts the change. Throws `invalid_password`,
 * `email_exists`, or `throttled` after 5 requests an hour, because the mail goes to an address the user has not proven to own.
 */
export async function requestEmailChange(context: ViewerContext, { email, password }: { email: string; password: string }) {
  const { db, clock, limits } = context
  const user = await getSignedInUser(context)
  if (email === normalizeAddress(user.email)) throw invalidField('email', 'is already your address')
  await verifyPassword(context, user, password)
  await db.write([`account:${user.accountId}`], async (tx) => {
    if (limits.credentials) await countAttempt(tx, `change:${user.id}`, EMAIL_CHANGE_LIMIT, clock.now())
    await startEmailChange(tx, context, user, { email, session: context.session })
  })
}

/** Starts a change that the user asked support for. Throws like a change by the user, and `no_change` for the present address. */
export async function startEmailChangeBySupport(tx: Tx, ports: Pick<World, 'clock' | 'ids'>, user: UserRow, email: string) {
  if (email === normalizeAddress(user.email)) throw new Failure('no_change')
  await countAttempt(tx, `change:${user.id}`, EMAIL_CHANGE_LIMIT, ports.clock.now())
  await startEmailChange(tx, ports, user, { email, isBySupport: true })
}

/** `session` outlives the change; without one, all sessions end. */
type EmailChange = { email: string; session?: string; isBySupport?: boolean }

async function startEmailChange(tx: Tx, ports: Pick<World, 'clock' | 'ids'>, user: UserRow, change: EmailChange) {
  const { email, session, isBySupport = false } = change
  const now = ports.clock.now()
  if (await isLoginTaken(tx, [email], user.id)) throw new Failure('email_exists')
  const key = await issueKey(tx, ports, { userId: user.id, kind: 'change', email, ...(session !== undefined && { session }) })
  const revertKey = await issueKey(tx, ports, { userId: user.id, kind: 'revert', email: user.email, replacesOlder: false })
  const worded = recipientColumns(user)
  const by = isBySupport && { by: 'support' as const }
  await queueMail(tx, { to: email, template: 'change_email', ...worded, data: { key, ...by }, now })
  const notice = { datetime: formatInstant(now), key: revertKey, ...by }
  await queueMail(tx, { to: user.email, template: 'change_notice', ...worded, data: notice, now })
}

/**
 * Replaces the user's address with the new one and returns it; password reset links in the old mailbox become invalid, all API tokens end,
 * and all sessions but the one that requested the change. Throws `invalid_key`, `expired`, or `email_exists` when another user has taken
 * the address since; the key stays valid then.
 */
export async function confirmEmailChange(context: HandlerContext, key: string) {
  return context.db.write(keyLock(key), async (tx) => {
    const now = context.clock.now()
    const { userId, email: address, session } = await consumeKey(tx, key, ['change'], now)
    const user = await findUser(tx, userId)
    if (!user || address === null) throw new Failure('invalid_key')
    if (await isLoginTaken(tx, [address], userId)) throw new Failure('email_exists')
    await expireKeys(tx, userId, ['reset'], now)
    await replaceEmail(tx, user, address)
    await recordEvent(tx, context, { kind: 'email_changed', accountId: user.accountId, userId, about: address })
    await deleteTokens(tx, userId)
    context.live.endSessions(tx, await deleteOtherSessions(tx, userId, session))
    return address
  })
}

const Query = z.object({ language: z.catch(z.enum(LANGUAGES), 'en'), key: z.string().check(z.maxLength(100)) })

/**
 * The page that the notice of an e-mail change links to. GET only shows a confirmation, because programs open links of mails; POST restores
 * the account's old address.
 */
export async function registerKeepAddressPage(app: FastifyInstance) {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'buffer' }, (_, _body, done) => done(null, null))
    pages.route({ method: ['GET', 'POST'], url: '/mail/keep-address/', config: { rateLimit: {} }, handler: answer })
  })
}

async function answer(request: FastifyRequest, reply: FastifyReply) {
  const { data } = Query.safeParse(request.query)
  if (!data) return sendInvalidLink(reply, 'en')
  const { key, language } = data
  const { db, clock } = request.world
  const t = createTranslate(language)
  try {
    if (request.method === 'POST') {
      const email = await keepAddress(buildContext(request, reply), key)
      return sendMailPage(reply, language, { title: t('revert.done'), text: t('revert.doneText', { email }) })
    }
    await getValidKey(db.read, key, ['revert'], clock.now())
    return sendMailPage(reply, language, { title: t('revert.title'), text: t('revert.text'), submit: t('revert.submit') })
  } catch (error) {
    if (error instanceof Failure) return sendInvalidLink(reply, language)
    throw error
  }
}

/**
 * Cancels or reverts an e-mail change. Ends all sessions and API tokens, removes factors added since, and cancels later e-mail changes.
 * Mails a link for a new password, because the person who requested the change knew the old one. Throws `invalid_key`, `expired`, or
 * `email_exists` when another user has taken the address since.
 */
async function keepAddress(context: HandlerContext, key: string) {
  const { db, clock, live } = context
  return db.write(keyLock(key), async (tx) => {
    const now = clock.now()
    const row = await consumeKey(tx, key, ['revert'], now)
    const user = await findUser(tx, row.userId)
    if (!user || row.email === null) throw new Failure('invalid_key')
    if (await isLoginTaken(tx, [row.email], user.id)) throw new Failure('email_exists')
    await expireKeys(tx, user.id, ['change', 'reset'], now)
    await expireLaterKeys(tx, row, now)
    if (user.email !== row.email) {
      await replaceEmail(tx, user, row.email)
      await recordEvent(tx, context, { kind: 'email_changed', accountId: user.accountId, userId: user.id, about: row.email })
    }
    await deleteTokens(tx, user.id)
    await removeFactorsSince(tx, user.id, new Date(row.expiresAt.getTime() - EMAIL_KEY_HOURS.revert * HOUR_MS))
    const resetKey = await issueKey(tx, context, { userId: user.id, kind: 'reset' })
    await queueMail(tx, { to: row.email, template: 'password_reset', ...recipientColumns(user), data: { key: resetKey }, now })
    live.endSessions(tx, await deleteOtherSessions(tx, user.id, null))
    return row.email
  })
}
