import { archiveInvoices } from '#server/billing/records/invoices.store.ts'
import { queueCustomerDeletion } from '#server/billing/records/payment-tasks.store.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { logErasure } from '#server/security/security-log.ts'
import { freeTrackers } from '#server/trackers/free-trackers.ts'
import { findUserWithAdminEmail, listAccountDevices, removeAccount, removeUser } from './users.store.ts'

/**
 * Deletes all data of the signed-in user; their trackers become free to add. Their invoices are
 * archived, because the law asks for them. A member of a pro account deletes only themselves. Throws
 * `pro_account` for its administrator, whose team would be orphaned, and for support.
 */
export async function eraseSelf(context: ViewerContext) {
  const { db, positions, clock, viewer } = context
  const { userId, accountId, role } = viewer
  if (role === 'admin' || role === 'deepsupport') throw new Failure('pro_account')
  await db.write([`account:${accountId}`], async (tx) => {
    const person = await findUserWithAdminEmail(tx, userId)
    if (!person) throw new Failure('not_authenticated')
    await removeUser(tx, { userId, email: person.user.email })
    if (role === 'pro') return
    await archiveInvoices(tx, accountId, person.user, clock.now())
    await freeTrackers(tx, await listAccountDevices(tx, accountId), { positions, clock })
    await queueCustomerDeletion(tx, accountId, clock.now())
    await removeAccount(tx, accountId)
  })
  logErasure(context)
}
