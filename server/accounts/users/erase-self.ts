import type { Tx } from '#db/db.ts'
import { archiveInvoices } from '#server/billing/records/invoices.store.ts'
import { queueCustomerDeletion } from '#server/billing/records/payment-tasks.store.ts'
import { forgetAccountInDeeds } from '#server/deeds/deeds.store.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'
import { logErasure } from '#server/security/security-log.ts'
import { forgetAccountInStock } from '#server/stock/stock-list.store.ts'
import { removeTrackers } from '#server/trackers/ownership/remove-trackers.ts'
import { findUserWithAdminEmail, listAccountDevices, removeAccount, removeUser, type UserRow } from './users.store.ts'

/**
 * Deletes all data of the signed-in user; their trackers can be added to other accounts. Their invoices are archived, as required by law. A
 * member of a pro account deletes only themselves. Throws `pro_account` for its administrator, whose team would be orphaned, and for
 * support.
 */
export async function eraseSelf(context: ViewerContext) {
  const { db, positions, clock, viewer } = context
  const { userId, accountId, role } = viewer
  if (role === 'admin' || role === 'deepsupport') throw new Failure('pro_account')
  await db.write([`account:${accountId}`], async (tx) => {
    const person = await findUserWithAdminEmail(tx, userId)
    if (!person) throw new Failure('not_authenticated')
    await eraseUser(tx, person.user, { positions, clock })
  })
  logErasure(context)
}

/** Erases a user, and if they own a personal account, all of the account. */
export async function eraseUser(tx: Tx, user: UserRow, ports: Pick<World, 'positions' | 'clock'>) {
  const { accountId, role } = user
  const now = ports.clock.now()
  await removeUser(tx, user)
  if (role !== 'user') return
  await archiveInvoices(tx, accountId, user, now)
  await removeTrackers(tx, await listAccountDevices(tx, accountId), ports)
  await queueCustomerDeletion(tx, accountId, now)
  await forgetAccountInDeeds(tx, accountId)
  await forgetAccountInStock(tx, accountId)
  await removeAccount(tx, accountId)
}
