import { CONFIRMATION_EMAILS_PER_HOUR } from '#contracts/lib/constants.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { countAttempt } from '#server/http/limits.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { issueKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import type { UserRow } from './users.present.ts'

const CONFIRMATION_LIMIT = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

type Ports = Pick<World, 'clock' | 'ids'>

export async function sendConfirmation(tx: Tx, world: Ports, user: UserRow) {
  const key = await issueKey(tx, world, { userId: user.id, kind: 'confirm' })
  await queueMail(tx, { to: user.email, template: 'confirm_email', ...wordedFor(user), data: { key }, now: world.clock.now() })
}

/** Mails a confirmation link on request. Throws `throttled` after 5 an hour, counted over all endpoints. */
export async function sendRequestedConfirmation(tx: Tx, world: Ports, user: UserRow) {
  await countAttempt(tx, `confirm:${sha256(user.email)}`, CONFIRMATION_LIMIT, world.clock.now())
  await sendConfirmation(tx, world, user)
}
