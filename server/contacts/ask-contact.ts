import { findAccountOwner } from '#db/people.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import type { ContactRow } from './contacts.store.ts'

/** The most mails that ask an unsubscribed person. */
const ASK_LIMIT = { max: 1, windowMinutes: 24 * 60 }

/** Mails an unsubscribed contact a link to subscribe again. Throws `no_change` for a subscribed one, and `throttled`. */
export async function askContact({ db, clock }: Pick<World, 'db' | 'clock'>, { accountId, email, stoppedAt }: ContactRow) {
  if (!stoppedAt) throw new Failure('no_change')
  await db.write([`account:${accountId}`], async (tx) => {
    const now = clock.now()
    const owner = await findAccountOwner(tx, accountId)
    if (!owner) throw new Failure('not_found')
    await countAttempt(tx, `ask_again:${accountId}:${sha256(email)}`, ASK_LIMIT, now)
    const data = { owner: owner.firstName, account: String(accountId), since: String(stoppedAt.getTime()) }
    await queueMail(tx, { to: email, template: 'allow_alerts', ...recipientColumns(owner), data, now })
  })
}
