import { CONFIRMATION_EMAILS_PER_HOUR } from '#contracts/lib/constants.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { deleteTokens } from '#server/accounts/api-tokens/api-tokens.store.ts'
import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { getSignedInUser, verifyPassword } from '#server/accounts/sessions/sign-in.ts'
import { isLoginTaken } from '#server/accounts/users/users.store.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { expireKeys } from '#server/mail/mail-keys.store.ts'
import { consumeKey, issueKey, keyLock } from '#server/mail/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'
import type { HandlerContext, ViewerContext } from '#server/ports/world.ts'
import { deleteOtherSessions } from '#server/security/open-sessions.store.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { replaceEmail } from './confirmations.store.ts'

const EMAIL_CHANGE_LIMIT = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

/**
 * Mails a link to the new address, and a notice to the present one with a link that takes the change back. Throws `invalid_password`, `email_exists`, or
 * `throttled` after 5 requests an hour, because the mail goes to an address the user has not proven to own.
 */
export async function requestEmailChange(context: ViewerContext, { email, password }: { email: string; password: string }) {
  const { db, clock, limits } = context
  const user = await getSignedInUser(context)
  if (email === user.email) throw invalidField('email', 'is already your address')
  await verifyPassword(context, user, password)
  await db.write([`account:${user.accountId}`], async (tx) => {
    const now = clock.now()
    if (limits.credentials) await countAttempt(tx, `change:${user.id}`, EMAIL_CHANGE_LIMIT, now)
    if (await isLoginTaken(tx, [email], user.id)) throw new Failure('email_exists')
    const key = await issueKey(tx, context, { userId: user.id, kind: 'change', email, session: context.session })
    const worded = recipientColumns(user)
    await queueMail(tx, { to: email, template: 'change_email', ...worded, data: { key }, now })
    const revertKey = await issueKey(tx, context, { userId: user.id, kind: 'revert', email: user.email, replacesOlder: false })
    const notice = { datetime: formatInstant(now), key: revertKey }
    await queueMail(tx, { to: user.email, template: 'change_notice', ...worded, data: notice, now })
  })
}

/**
 * Replaces the user's address with the new one and returns it; password reset links in the old mailbox stop working, all API tokens end, and all
 * sessions but the one that requested the change. Throws `invalid_key`, `expired`, or `email_exists` when another user has taken the address since; the
 * key stays valid then.
 */
export async function confirmEmailChange(context: HandlerContext, key: string) {
  const { email, ended } = await context.db.write(keyLock(key), async (tx) => {
    const now = context.clock.now()
    const { userId, email: address, session } = await consumeKey(tx, key, ['change'], now)
    const user = await findUser(tx, userId)
    if (!user || address === null) throw new Failure('invalid_key')
    if (await isLoginTaken(tx, [address], userId)) throw new Failure('email_exists')
    await expireKeys(tx, userId, ['reset'], now)
    await replaceEmail(tx, user, address)
    await recordEvent(tx, context, { kind: 'email_changed', accountId: user.accountId, userId, about: address })
    await deleteTokens(tx, userId)
    return { email: address, ended: await deleteOtherSessions(tx, userId, session) }
  })
  context.live.endSessions(ended.map(({ hash }) => hash))
  return email
}
