import { formatIdentifier } from '#contracts/rules/identifier.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { stopRenewals } from '#server/billing/records/subscriptions.store.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import type { World } from '#server/ports/world.ts'
import { acceptRequests, removeTrackers } from './free-trackers.store.ts'
import { referenceOf } from './reference.ts'

type Ports = Pick<World, 'positions' | 'clock'>

/**
 * Takes trackers off their account, with all that was kept of them, and makes them free to be added (D-15, D-39): the one way,
 * whether an owner removes them, an account is erased or somebody proves to hold them. No card is charged for them any more. Who
 * asked for one is told that it is free.
 */
export async function freeTrackers(tx: Tx, freed: readonly DeviceRow[], { positions, clock }: Ports) {
  const now = clock.now()
  for (const { id } of freed) positions.remove(id)
  for (const { id } of freed) await stopRenewals(tx, id, now)
  await removeTrackers(tx, freed)
  for (const { id, identifier, email, requester } of await acceptRequests(tx, freed)) {
    const data = { reference: referenceOf(id), identifier: formatIdentifier(identifier) }
    await queueMail(tx, { to: email, template: 'unlink_accepted', ...wordedFor(requester), data, now })
  }
}
