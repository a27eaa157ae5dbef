import type { Tx } from '#db/sqlite/open.ts'
import { deleteAlerts, listAlertIdsOfPlace, listAlertIdsOnlyForContact, listWatchedDeviceIds } from './alert-records.store.ts'
import { type AlertTransaction, withdrawVehicleAlertModes } from './vehicle-modes.ts'

/** Deletes alerts and withdraws the vehicle alert from trackers; returns the live events to publish after the commit. */
export async function removeAlerts(tx: Tx, ids: number[], change: AlertTransaction) {
  const released = await listWatchedDeviceIds(tx, ids, { onlyVehicleAlerts: true })
  await deleteAlerts(tx, ids)
  return withdrawVehicleAlertModes(tx, released, change)
}

/** Deletes the alerts of a place before the place itself; returns their ids and the live events. */
export async function removeAlertsOfPlace(tx: Tx, placeId: number, change: AlertTransaction) {
  const ids = await listAlertIdsOfPlace(tx, placeId)
  return { ids, events: await removeAlerts(tx, ids, change) }
}

/** Deletes the alerts that have no recipient but this contact, before the contact itself; returns their ids and the live events. */
export async function removeAlertsOfContact(tx: Tx, contactId: number, change: AlertTransaction) {
  const ids = await listAlertIdsOnlyForContact(tx, contactId)
  return { ids, events: await removeAlerts(tx, ids, change) }
}
