import { wire } from '#contracts/rules/instant.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { endKeys } from '#server/mail/mail-keys.store.ts'
import { replacePassword, type UserRow } from './sessions.store.ts'

/**
 * Keeps a new password: all sessions end (D-36), links to another password stop working, and so does one to another address,
 * which somebody else may have asked for. The user is told by mail, unless it is their first password; that one was set by
 * a mailed link, so the address is theirs.
 */
export async function keepPassword(tx: Tx, user: UserRow, { passwordHash, now }: { passwordHash: string; now: Date }) {
  await replacePassword(tx, user, passwordHash)
  await endKeys(tx, user.id, ['reset', 'invitation', 'change'], now)
  if (user.passwordHash === null) return
  const data = { datetime: wire(now) }
  await queueMail(tx, { to: user.email, template: 'password_changed', ...wordedFor(user), data, now })
}
