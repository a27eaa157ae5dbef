import type { Tx } from '#db/sqlite/open.ts'
import { alertsOfPlace, alertsOnlyFor, deleteAlerts, watchedBy } from './alert-records.store.ts'
import { type Change, releaseVehicles } from './vehicle-modes.ts'

/** Removes alerts, and takes the vehicle alert back from trackers; answers the events to publish once it is kept. */
export async function removeAlerts(tx: Tx, ids: number[], change: Change) {
  const released = await watchedBy(tx, ids, { onlyVehicleAlerts: true })
  await deleteAlerts(tx, ids)
  return releaseVehicles(tx, released, change)
}

/** The alerts of a place go before it does (D-35): their ids, and the events to publish once it is kept. */
export async function removeAlertsOfPlace(tx: Tx, placeId: number, change: Change) {
  const ids = await alertsOfPlace(tx, placeId)
  return { ids, events: await removeAlerts(tx, ids, change) }
}

/** The alerts that would tell nobody without this contact go before it does (D-35). */
export async function removeAlertsOfContact(tx: Tx, contactId: number, change: Change) {
  const ids = await alertsOnlyFor(tx, contactId)
  return { ids, events: await removeAlerts(tx, ids, change) }
}
