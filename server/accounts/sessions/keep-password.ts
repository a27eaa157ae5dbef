import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { endKeys } from '#server/mail/mail-keys.store.ts'
import { replacePassword, type UserRow } from './sessions.store.ts'

/**
 * Saves a new password and ends all sessions, reset links, invitations and e-mail change links (which somebody else may have requested).
 * Mails a notice to the user, except for a first password: that one was set by a mailed link.
 */
export async function savePassword(tx: Tx, user: UserRow, { passwordHash, now }: { passwordHash: string; now: Date }) {
  await replacePassword(tx, user, passwordHash)
  await endKeys(tx, user.id, ['reset', 'invitation', 'change'], now)
  if (user.passwordHash === null) return
  const data = { datetime: formatInstant(now) }
  await queueMail(tx, { to: user.email, template: 'password_changed', ...wordedFor(user), data, now })
}
