import type { AlertChange, NewAlert } from '#contracts/alerts.ts'
import type { Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import {
  type AlertDetails,
  type AlertRow,
  clearCrossings,
  insertAlert,
  listWatchedDeviceIds,
  replaceAlertContacts,
  replaceAlertDevices,
  updateAlertRow,
} from './alert-records.store.ts'
import type { AlertDraft } from './judge.ts'
import { type AlertTransaction, requestVehicleAlertModes, withdrawVehicleAlertModes } from './vehicle-modes.ts'

export const buildDraft = ({ name, devices, contacts, place = null, trigger = null, vehicle_alert }: NewAlert): AlertDraft => ({
  name: name || null,
  devices: unique(devices),
  unseen: [],
  contacts: unique(contacts),
  place,
  trigger,
  vehicle_alert,
})

/** Merges a change into an alert; a given list replaces only what the viewer sees of it. */
export async function buildChangedDraft(tx: Tx, { alert, devices, contacts }: AlertDetails, change: AlertChange): Promise<AlertDraft> {
  return {
    name: change.name === undefined ? alert.name : change.name || null,
    devices: unique(change.devices ?? devices),
    unseen: (await listWatchedDeviceIds(tx, [alert.id])).filter((id) => !devices.includes(id)),
    contacts: unique(change.contacts ?? contacts),
    place: change.place === undefined ? alert.placeId : change.place,
    trigger: change.trigger === undefined ? alert.trigger : change.trigger,
    vehicle_alert: change.vehicle_alert ?? alert.isVehicleAlert,
  }
}

/** Saves a validated alert; returns its id and the live events to publish after the commit. */
export async function createAlert(tx: Tx, { accountId }: Viewer, wanted: AlertDraft, change: AlertTransaction) {
  const { id } = await insertAlert(tx, { accountId, ...toColumns(wanted) })
  await replaceAlertDevices(tx, id, wanted.devices)
  await replaceAlertContacts(tx, id, wanted.contacts)
  return { id, events: wanted.vehicle_alert ? await requestVehicleAlertModes(tx, wanted.devices, change) : [] }
}

/** Saves a validated change; returns the live events. State of trackers that stay is kept, unless the alert watches another border. */
export async function updateAlert(tx: Tx, before: AlertRow, wanted: AlertDraft, change: AlertTransaction) {
  const { id } = before
  const after = { ...before, ...toColumns(wanted) }
  const watched = await listWatchedDeviceIds(tx, [id])
  const watching = [...wanted.devices, ...wanted.unseen]
  await updateAlertRow(tx, after)
  await replaceAlertDevices(tx, id, watching)
  await replaceAlertContacts(tx, id, wanted.contacts)
  if (after.placeId !== before.placeId || after.trigger !== before.trigger) await clearCrossings(tx, id)
  const [guarded, guarding] = [before.isVehicleAlert ? watched : [], after.isVehicleAlert ? watching : []]
  return [
    ...(await requestVehicleAlertModes(tx, without(guarding, guarded), change)),
    ...(await withdrawVehicleAlertModes(tx, without(guarded, guarding), change)),
  ]
}

const toColumns = ({ name, place, trigger, vehicle_alert }: AlertDraft) => ({
  name,
  placeId: place,
  trigger,
  isVehicleAlert: vehicle_alert,
})

const unique = (ids: number[]) => [...new Set(ids)]

const without = (ids: number[], others: number[]) => ids.filter((id) => !others.includes(id))
