import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'

type PaidTracker = { id: number; name: string }

/** Mails the owner the receipt of a paid invoice, once however often the payment is reported. */
export async function mailReceipt(
  tx: Tx,
  { id, accountId, number, amount, currency, providerId }: InvoiceRow,
  trackers: readonly PaidTracker[],
  now: Date,
) {
  const owner = await findAccountOwner(tx, accountId)
  if (!owner || !(await claimEffect(tx, `receipt ${providerId ?? number}`, now))) return
  const [first] = trackers
  const data = {
    invoice: String(id),
    number,
    amount: String(amount),
    currency,
    tracker: trackers.map(({ name }) => name).join(', '),
    ...(first && trackers.length === 1 && { device: String(first.id) }),
    datetime: formatInstant(now),
  }
  await queueMail(tx, { to: owner.email, template: 'receipt', ...recipientColumns(owner), data, now })
}
