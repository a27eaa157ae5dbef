import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { EMAIL_KEY_HOURS, LANGUAGES } from '#contracts/lib/constants.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { deleteTokens } from '#server/accounts/api-tokens/api-tokens.store.ts'
import { removeFactorsSince } from '#server/accounts/factors/factors.store.ts'
import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { isLoginTaken } from '#server/accounts/users/users.store.ts'
import { buildContext } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { expireKeys, expireLaterKeys } from '#server/mail/mail-keys.store.ts'
import { consumeKey, getValidKey, issueKey, keyLock } from '#server/mail/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'
import { sendInvalidLink, sendMailPage } from '#server/mail/mail-page.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import type { HandlerContext } from '#server/ports/world.ts'
import { deleteOtherSessions } from '#server/security/open-sessions.store.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { replaceEmail } from './confirmations.store.ts'

const Query = z.object({ language: z.catch(z.enum(LANGUAGES), 'en'), key: z.string().check(z.maxLength(100)) })

/**
 * The page behind the notice of a change of e-mail. A GET only asks, because programs open links of mails; the POST gives the account its old
 * address back.
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
 * Cancels or undoes a change of e-mail, and mails a link for a new password, because the one who requested the change knew the old one. All
 * sessions and API tokens end, and so do factors that were added since, and later changes of the address with their keys. Throws `invalid_key`, `expired`, or
 * `email_exists` when another user has taken the address since.
 */
async function keepAddress(context: HandlerContext, key: string) {
  const { db, clock, live } = context
  const { email, ended } = await db.write(keyLock(key), async (tx) => {
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
    return { email: row.email, ended: await deleteOtherSessions(tx, user.id, null) }
  })
  live.endSessions(ended.map(({ hash }) => hash))
  return email
}
