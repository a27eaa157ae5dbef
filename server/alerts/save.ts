import type { AlertChange, NewAlert } from '#contracts/alerts.ts'
import type { Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import {
  type AlertFacts,
  type AlertRow,
  forgetCrossings,
  insertAlert,
  setContacts,
  setDevices,
  updateAlert,
  watchedBy,
} from './alert-records.store.ts'
import type { Wanted } from './judge.ts'
import { type Change, guardVehicles, releaseVehicles } from './vehicle-modes.ts'

export const newlyWanted = ({ name, devices, contacts, place = null, trigger = null, vehicle_alert }: NewAlert): Wanted => ({
  name: name || null,
  devices: once(devices),
  unseen: [],
  contacts: once(contacts),
  place,
  trigger,
  vehicle_alert,
})

/** Merges a change into an alert; a given list replaces only what the viewer sees of it. */
export async function wantedOf(tx: Tx, { alert, devices, contacts }: AlertFacts, change: AlertChange): Promise<Wanted> {
  return {
    name: change.name === undefined ? alert.name : change.name || null,
    devices: once(change.devices ?? devices),
    unseen: (await watchedBy(tx, [alert.id])).filter((id) => !devices.includes(id)),
    contacts: once(change.contacts ?? contacts),
    place: change.place === undefined ? alert.placeId : change.place,
    trigger: change.trigger === undefined ? alert.trigger : change.trigger,
    vehicle_alert: change.vehicle_alert ?? alert.isVehicleAlert,
  }
}

/** Saves a validated alert; returns its id and the live events to publish after the commit. */
export async function addAlert(tx: Tx, { accountId }: Viewer, wanted: Wanted, change: Change) {
  const { id } = await insertAlert(tx, { accountId, ...columnsOf(wanted) })
  await setDevices(tx, id, wanted.devices)
  await setContacts(tx, id, wanted.contacts)
  return { id, events: wanted.vehicle_alert ? await guardVehicles(tx, wanted.devices, change) : [] }
}

/** Saves a validated change; returns the live events. State of trackers that stay is kept, unless the alert watches another border. */
export async function changeAlert(tx: Tx, before: AlertRow, wanted: Wanted, change: Change) {
  const { id } = before
  const after = { ...before, ...columnsOf(wanted) }
  const watched = await watchedBy(tx, [id])
  const watching = [...wanted.devices, ...wanted.unseen]
  await updateAlert(tx, after)
  await setDevices(tx, id, watching)
  await setContacts(tx, id, wanted.contacts)
  if (after.placeId !== before.placeId || after.trigger !== before.trigger) await forgetCrossings(tx, id)
  const [guarded, guarding] = [before.isVehicleAlert ? watched : [], after.isVehicleAlert ? watching : []]
  return [
    ...(await guardVehicles(tx, without(guarding, guarded), change)),
    ...(await releaseVehicles(tx, without(guarded, guarding), change)),
  ]
}

const columnsOf = ({ name, place, trigger, vehicle_alert }: Wanted) => ({
  name,
  placeId: place,
  trigger,
  isVehicleAlert: vehicle_alert,
})

const once = (ids: number[]) => [...new Set(ids)]

const without = (ids: number[], others: number[]) => ids.filter((id) => !others.includes(id))
