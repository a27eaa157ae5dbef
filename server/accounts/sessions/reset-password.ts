import type { EmailKeyKind } from '#db/schema/accounts.ts'
import { countAttempt, runPasswordWork } from '#server/http/limits.ts'
import { hashPassword, sha256 } from '#server/lib/secrets.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { issueKey, openKey, takeKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import { savePassword } from './keep-password.ts'
import { findUser, findUserByLogin } from './sessions.store.ts'

const RESET_LIMIT = { max: 5, windowMinutes: 60 }
/** A reset also accepts an invitation, which sets the first password. */
const RESET_KEY_KINDS: EmailKeyKind[] = ['reset', 'invitation']

/**
 * Mails a reset link to the user of the address, if there is one. Throws `throttled` after 5 requests an hour for any address, known or
 * not.
 */
export async function sendPasswordReset(world: World, email: string) {
  const { db, clock, limits } = world
  await db.write(async (tx) => {
    const now = clock.now()
    if (limits.credentials) await countAttempt(tx, `reset:${sha256(email)}`, RESET_LIMIT, now)
    const found = await findUserByLogin(tx, email)
    if (found?.user.email !== email) return
    const key = await issueKey(tx, world, { userId: found.user.id, kind: 'reset' })
    await queueMail(tx, { to: email, template: 'password_reset', ...wordedFor(found.user), data: { key }, now })
  })
}

export async function resetPassword({ db, clock }: World, key: string, password: string) {
  await openKey(db.read, key, RESET_KEY_KINDS, clock.now())
  const passwordHash = await runPasswordWork(() => hashPassword(password))
  await db.write(async (tx) => {
    const now = clock.now()
    const { userId } = await takeKey(tx, key, RESET_KEY_KINDS, now)
    const user = await findUser(tx, userId)
    if (user) await savePassword(tx, user, { passwordHash, now })
  })
}
