import type { EmailKeyKind } from '#db/schema/accounts.ts'
import { countTry, passwordWork } from '#server/http/limits.ts'
import { hashPassword, sha256 } from '#server/lib/secrets.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { issueKey, openKey, takeKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import { keepPassword } from './keep-password.ts'
import { findByLogin, findUser } from './sessions.store.ts'

const REQUESTS = { max: 5, windowMinutes: 60 }
/** A reset also accepts an invitation, which sets the first password. */
const KINDS: EmailKeyKind[] = ['reset', 'invitation']

/**
 * Mails a reset link to the user of the address, if there is one. Throws `throttled` after 5 requests an hour for any address, known or
 * not.
 */
export async function mailReset(world: World, email: string) {
  const { db, clock, limits } = world
  await db.write(async (tx) => {
    const now = clock.now()
    if (limits.credentials) await countTry(tx, `reset:${sha256(email)}`, REQUESTS, now)
    const found = await findByLogin(tx, email)
    if (found?.user.email !== email) return
    const key = await issueKey(tx, world, { userId: found.user.id, kind: 'reset' })
    await queueMail(tx, { to: email, template: 'password_reset', ...wordedFor(found.user), data: { key }, now })
  })
}

export async function setPassword({ db, clock }: World, key: string, password: string) {
  await openKey(db.read, key, KINDS, clock.now())
  const passwordHash = await passwordWork(() => hashPassword(password))
  await db.write(async (tx) => {
    const now = clock.now()
    const { userId } = await takeKey(tx, key, KINDS, now)
    const user = await findUser(tx, userId)
    if (user) await keepPassword(tx, user, { passwordHash, now })
  })
}
