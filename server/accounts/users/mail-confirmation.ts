import { CONFIRMATION_EMAILS_PER_HOUR } from '#contracts/lib/constants.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { countTry } from '#server/http/limits.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { issueKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import type { UserRow } from './users.present.ts'

const CONFIRMATIONS = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

type Ports = Pick<World, 'clock' | 'ids'>

export async function mailConfirmation(tx: Tx, world: Ports, user: UserRow) {
  const key = await issueKey(tx, world, { userId: user.id, kind: 'confirm' })
  await queueMail(tx, { to: user.email, template: 'confirm_email', ...wordedFor(user), data: { key }, now: world.clock.now() })
}

/** Mails a confirmation link on request. Throws `throttled` after 5 an hour, counted over all endpoints. */
export async function mailConfirmationAgain(tx: Tx, world: Ports, user: UserRow) {
  await countTry(tx, `confirm:${sha256(user.email)}`, CONFIRMATIONS, world.clock.now())
  await mailConfirmation(tx, world, user)
}
