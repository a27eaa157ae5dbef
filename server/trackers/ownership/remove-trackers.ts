import { formatIdentifier, formatReference } from '#contracts/rules/reading/text.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { findSubscription, stopRenewals } from '#server/billing/records/subscriptions.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { insertPastClaims } from '#server/stock/stock-list.store.ts'
import { acceptRequests, deleteTrackers } from './trackers.store.ts'

type Ports = Pick<World, 'positions' | 'clock'>

/**
 * Removes trackers from their account with all their data, so that they can be added again. Every removal goes through here: by the owner,
 * with an erased account, or by serial proof. Renewals stop, so that no card is charged any more, and pending requesters are mailed.
 */
export async function removeTrackers(tx: Tx, removed: readonly DeviceRow[], { positions, clock }: Ports) {
  const now = clock.now()
  for (const { id } of removed) await positions.remove(tx, id)
  for (const { id } of removed) await stopRenewals(tx, id, now)
  await deleteTrackers(tx, removed)
  await insertPastClaims(tx, removed, now)
  for (const { id, identifier, email, requester } of await acceptRequests(tx, removed, now)) {
    const data = { reference: formatReference(id), identifier: formatIdentifier(identifier) }
    await queueMail(tx, { to: email, template: 'unlink_accepted', ...recipientColumns(requester), data, now })
  }
}

/** Removes a tracker for another account, and mails its owner. */
export async function removeFromOwner(tx: Tx, ports: Ports, device: DeviceRow) {
  const owner = await findAccountOwner(tx, device.accountId)
  await removeTrackers(tx, [device], ports)
  const data = { tracker: device.name, identifier: formatIdentifier(device.identifier ?? '') }
  if (owner) await queueMail(tx, { to: owner.email, template: 'tracker_removed', ...recipientColumns(owner), data, now: ports.clock.now() })
}

/** Throws `recurring_active`, because the card would be charged for a removed tracker. */
export async function requireNoRenewal(tx: Tx, device: DeviceRow, now: Date) {
  const isActive = currentSubState(device.subState, device.subEndDate, now) === 'active'
  if (isActive && (await findSubscription(tx, device.id))?.isRecurring) throw new Failure('recurring_active')
}
