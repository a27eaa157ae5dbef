import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'

/** Mails the owner that a claim for the tracker was opened. */
export async function mailClaim(tx: Tx, { id, name, accountId }: DeviceRow, now: Date) {
  const owner = await findAccountOwner(tx, accountId)
  if (!owner) return
  const data = { tracker: name, device: String(id), datetime: formatInstant(now) }
  await queueMail(tx, { to: owner.email, template: 'care_claim', ...recipientColumns(owner), data, now })
}
