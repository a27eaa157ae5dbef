import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { hasFactor } from '#db/factors.ts'
import type { EmailKeyKind } from '#db/schema/accounts.ts'
import { removeSignInChallenges } from '#server/accounts/factors/factors.store.ts'
import { countAttempt, runPasswordWork, takeAttempt } from '#server/http/access/limits.ts'
import { requireGoodPassword } from '#server/lib/easy-passwords.ts'
import { Failure } from '#server/lib/errors.ts'
import { hashPassword, sha256 } from '#server/lib/secrets.ts'
import { expireKeys } from '#server/outbox/mail-keys.store.ts'
import { consumeKey, getValidKey, issueKey, keyLock } from '#server/outbox/mail-keys.ts'
import { deleteMail, queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { HandlerContext, ViewerContext, World } from '#server/ports/world.ts'
import { rememberBrowser } from '#server/security/known-browsers.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { forgetLoginAttempts } from './login-attempts.ts'
import { findSession, findUser, findUserByLogin, replacePassword, type UserRow } from './sessions.store.ts'
import { continueSession, getSignedInUser, verifyPassword } from './sign-in.ts'

/**
 * Sets a new password, ends all sessions and returns the token of a new one, which inherits the times of sign-in, confirmation and expiry.
 * Throws `invalid_password`.
 */
export async function changePassword(context: ViewerContext, { from, to }: { from: string; to: string }) {
  const { db } = context
  const user = await getSignedInUser(context)
  await verifyPassword(context, user, from)
  requireGoodPassword('new_password', to, user, context)
  const passwordHash = await runPasswordWork(context.caller.network, () => hashPassword(to))
  return db.write([`account:${user.accountId}`], async (tx) => {
    const current = await findUser(tx, user.id)
    if (current?.passwordHash !== user.passwordHash) throw new Failure('invalid_password')
    const session = await findSession(tx, context.session)
    if (!session) throw new Failure('not_authenticated')
    await savePassword(tx, context, current, passwordHash)
    return continueSession(tx, context, session)
  })
}

/**
 * Saves a new password and ends all sessions, sign-ins that wait for their second factor, API tokens, reset links, invitations and e-mail
 * change links, which an intruder may have requested. Mails a notice to the user, except for a first password, which was set by a mailed
 * link.
 */
async function savePassword(tx: Tx, context: HandlerContext, user: UserRow, passwordHash: string) {
  const now = context.clock.now()
  await replacePassword(tx, user, passwordHash)
  await expireKeys(tx, user.id, ['reset', 'invitation', 'change'], now)
  await removeSignInChallenges(tx, user.id)
  await recordEvent(tx, context, { kind: 'password_changed', accountId: user.accountId, userId: user.id })
  if (user.passwordHash === null) return
  const data = { datetime: formatInstant(now) }
  await queueMail(tx, { to: user.email, template: 'password_changed', ...recipientColumns(user), data, now })
}

const RESET_LIMIT = { max: 5, windowMinutes: 60 }
/** A reset also accepts an invitation, which sets the first password. */
const RESET_KEY_KINDS: EmailKeyKind[] = ['reset', 'invitation']

/**
 * Mails a reset link to the user of the address, if there is one; older links stay valid, because someone else may have requested this one.
 * After 5 mails an hour it sends none, with the same response. Known and unknown addresses cost the same writes, so that the response time
 * reveals nothing.
 */
export async function sendPasswordReset(world: World, email: string) {
  const { db, clock, limits } = world
  const tries = `reset:${sha256(email)}`
  await db.write([`throttle:${tries}`], async (tx) => {
    const now = clock.now()
    if (limits.credentials && (await takeAttempt(tx, tries, RESET_LIMIT, now))) return
    const found = await findUserByLogin(tx, email)
    if (!found || normalizeAddress(found.user.email) !== email) return spendSameWrites(tx, email, now)
    await queueReset(tx, world, found.user)
  })
}

async function queueReset(tx: Tx, world: Pick<World, 'clock' | 'ids'>, user: Pick<UserRow, 'id' | 'email' | 'language' | 'timeZone'>) {
  const key = await issueKey(tx, world, { userId: user.id, kind: 'reset', replacesOlder: false })
  const mail = { to: normalizeAddress(user.email), template: 'password_reset', data: { key }, now: world.clock.now() } as const
  await queueMail(tx, { ...mail, ...recipientColumns(user) })
}

/** Mails a reset link for support. Throws `throttled` after five an hour, together with those that were requested. */
export async function mailPasswordReset(tx: Tx, world: Pick<World, 'clock' | 'ids'>, user: Parameters<typeof queueReset>[2]) {
  await countAttempt(tx, `reset:${sha256(normalizeAddress(user.email))}`, RESET_LIMIT, world.clock.now())
  await queueReset(tx, world, user)
}

async function spendSameWrites(tx: Tx, email: string, now: Date) {
  const mail = await queueMail(tx, { to: email, template: 'password_reset', language: 'en', data: { key: '' }, now })
  await deleteMail(tx, mail)
}

/**
 * Sets a new password by a mailed key. The reader of the mail is the owner: earlier wrong passwords and codes no longer count, and the
 * browser is remembered, so that ongoing guessing does not slow it down. With a second factor it is remembered only after that is proven.
 * Returns the secret of the browser's cookie, or null.
 */
export async function resetPassword(context: HandlerContext, key: string, password: string) {
  const { db, clock, caller, ids } = context
  const { userId } = await getValidKey(db.read, key, RESET_KEY_KINDS, clock.now())
  const owner = await findUser(db.read, userId)
  if (owner) requireGoodPassword('new_password', password, owner, context)
  const passwordHash = await runPasswordWork(context.caller.network, () => hashPassword(password))
  return db.write(keyLock(key), async (tx) => {
    const { userId } = await consumeKey(tx, key, RESET_KEY_KINDS, clock.now())
    const user = await findUser(tx, userId)
    if (!user) return null
    await savePassword(tx, context, user, passwordHash)
    await forgetLoginAttempts(tx, user)
    if (await hasFactor(tx, user.id)) return null
    const browser = caller.browser ?? ids.token()
    await rememberBrowser(tx, context, user.id, browser)
    return browser
  })
}
