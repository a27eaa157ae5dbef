import type { Tx } from '#db/open.ts'
import { queueMail, wordedFor } from '#server/lib/mail.ts'
import { issueKey } from '#server/lib/mail-keys.ts'
import type { World } from '#server/lib/world.ts'
import type { UserRow } from './present.ts'

/** Mails a new link that confirms the address; links sent before stop working (D-27). */
export async function mailConfirmation(tx: Tx, world: Pick<World, 'clock' | 'ids'>, user: UserRow) {
  const key = await issueKey(tx, world, { userId: user.id, kind: 'confirm' })
  await queueMail(tx, { to: user.email, template: 'confirm_email', ...wordedFor(user), data: { key }, now: world.clock.now() })
}
