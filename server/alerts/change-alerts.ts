import type { AlertChange, NewAlert } from '#contracts/alerts.ts'
import type { Circle, Trigger } from '#contracts/rules/geo/place.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { findMissingParts, supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { isModeCode, switchVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import { listVehicleAlertDeviceIds } from '#db/alerts.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import { requestMode } from '#server/trackers/settings/mode.ts'
import {
  type AlertDetails,
  type AlertRow,
  clearCrossings,
  deleteAlerts,
  findPlace,
  hasPlace,
  insertAlert,
  listAlertIdsOfPlace,
  listAlertIdsOnlyForContact,
  listContactIds,
  listDevicesByIds,
  listVisibleDevices,
  listWatchedDeviceIds,
  replaceAlertContacts,
  replaceAlertDevices,
  updateAlertRow,
} from './alerts.store.ts'

/** A complete alert to be saved; `unseen` are watched trackers that the viewer may not see. */
export type AlertDraft = {
  name: string | null
  devices: number[]
  unseen: number[]
  contacts: number[]
  place: number | null
  trigger: Trigger | null
  vehicle_alert: boolean
  /** Stands for the place of an alert that is not saved. */
  circle?: Circle | null | undefined
}

/** Throws `validation_error` with every invalid field, or `vehicle_only`. */
export async function validateAlert(tx: DbReader, viewer: Viewer, draft: AlertDraft) {
  const errors: Record<string, string[]> = {}
  for (const field of findMissingParts({ ...draft, place: draft.place ?? draft.circle ?? null }))
    errors[field] = ['Place and trigger go together, and are required unless it is a vehicle alert']
  const seen = await listVisibleDevices(tx, viewer, draft.devices)
  if (seen.length < draft.devices.length) errors.devices = ['Names a tracker that is not yours']
  const contactIds = await listContactIds(tx, viewer.accountId, draft.contacts)
  if (contactIds.length < draft.contacts.length) errors.contacts = ['Names a contact that is not yours']
  if (draft.place !== null && !(await hasPlace(tx, viewer.accountId, draft.place))) errors.place = ['Not a place of yours']
  if (Object.keys(errors).length > 0) throw new Failure('validation_error', { errors })
  if (draft.vehicle_alert) await requireVehicles(tx, [...draft.devices, ...draft.unseen])
}

async function requireVehicles(tx: DbReader, ids: number[]) {
  const others = (await listDevicesByIds(tx, ids)).filter(({ kind }) => !supportsVehicleAlert(kind))
  if (others.length > 0)
    throw new Failure('vehicle_only', { errors: { devices: [`Not a vehicle or bike: ${others.map(({ id }) => id).join(', ')}`] } })
}

export const buildDraft = ({ name, devices, contacts, place = null, trigger = null, vehicle_alert }: NewAlert): AlertDraft => ({
  name: name || null,
  devices: unique(devices),
  unseen: [],
  contacts: unique(contacts),
  place,
  trigger,
  vehicle_alert,
})

/** The trackers and the place of a valid alert that is not saved. Throws like `validateAlert`. */
export async function loadUnsavedAlert(
  db: DbReader,
  viewer: Viewer,
  { circle, ...body }: Omit<NewAlert, 'contacts'> & Pick<AlertDraft, 'circle'>,
) {
  const draft = { ...buildDraft({ ...body, contacts: [] }), circle }
  await validateAlert(db, viewer, draft)
  const devices = (await listVisibleDevices(db, viewer, draft.devices)).sort((a, b) => a.id - b.id)
  const saved = draft.place === null ? null : ((await findPlace(db, viewer.accountId, draft.place)) ?? null)
  return { devices, place: circle ? { ...circle, id: 0, name: '' } : saved, trigger: draft.trigger, isVehicleAlert: draft.vehicle_alert }
}

/** Merges a change into an alert; a given list replaces only the part that the viewer sees. */
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

/** Saves a validated alert; returns its id. */
export async function createAlert(tx: Tx, { accountId }: Viewer, draft: AlertDraft, now: Date) {
  const { id } = await insertAlert(tx, { accountId, ...toColumns(draft) })
  await replaceAlertDevices(tx, id, draft.devices)
  await replaceAlertContacts(tx, id, draft.contacts)
  if (draft.vehicle_alert) await requestVehicleAlertModes(tx, draft.devices, now)
  return id
}

/** Saves a validated change. The state of unchanged trackers is preserved, unless the alert watches another border. */
export async function updateAlert(tx: Tx, before: AlertRow, draft: AlertDraft, now: Date) {
  const { id } = before
  const after = { ...before, ...toColumns(draft) }
  const watched = await listWatchedDeviceIds(tx, [id])
  const watching = [...draft.devices, ...draft.unseen]
  await updateAlertRow(tx, after)
  await replaceAlertDevices(tx, id, watching)
  await replaceAlertContacts(tx, id, draft.contacts)
  if (after.placeId !== before.placeId || after.trigger !== before.trigger) await clearCrossings(tx, id)
  const [guarded, guarding] = [isGuarding(before) ? watched : [], isGuarding(after) ? watching : []]
  await requestVehicleAlertModes(tx, without(guarding, guarded), now)
  await withdrawVehicleAlertModes(tx, without(guarded, guarding), now)
}

const isGuarding = ({ isVehicleAlert, offSince }: AlertRow) => isVehicleAlert && offSince === null

/** Switches an alert off or on. When switched on it starts again from the last fix of each tracker. */
export async function switchAlert(tx: Tx, before: AlertRow, isOn: boolean, now: Date) {
  if (isOn === (before.offSince === null)) return
  const after = { ...before, offSince: isOn ? null : now }
  const watched = before.isVehicleAlert ? await listWatchedDeviceIds(tx, [before.id]) : []
  if (isOn && before.isVehicleAlert) await requireVehicles(tx, watched)
  await updateAlertRow(tx, after)
  if (isOn) await clearCrossings(tx, before.id)
  await (isOn ? requestVehicleAlertModes(tx, watched, now) : withdrawVehicleAlertModes(tx, watched, now))
}

const toColumns = ({ name, place, trigger, vehicle_alert }: AlertDraft) => ({
  name,
  placeId: place,
  trigger,
  isVehicleAlert: vehicle_alert,
})

const unique = (ids: number[]) => [...new Set(ids)]

const without = (ids: number[], others: number[]) => ids.filter((id) => !others.includes(id))

/** Deletes alerts and withdraws the vehicle alert from trackers. */
export async function removeAlerts(tx: Tx, ids: number[], now: Date) {
  const released = await listWatchedDeviceIds(tx, ids, { onlyGuarding: true })
  await deleteAlerts(tx, ids)
  await withdrawVehicleAlertModes(tx, released, now)
}

/** Deletes the alerts of a place before the place itself; returns their ids. */
export async function removeAlertsOfPlace(tx: Tx, placeId: number, now: Date) {
  const ids = await listAlertIdsOfPlace(tx, placeId)
  await removeAlerts(tx, ids, now)
  return ids
}

/** Deletes the alerts that have no recipient but this contact, before the contact itself; returns their ids. */
export async function removeAlertsOfContact(tx: Tx, contactId: number, now: Date) {
  const ids = await listAlertIdsOnlyForContact(tx, contactId)
  await removeAlerts(tx, ids, now)
  return ids
}

const requestVehicleAlertModes = (tx: Tx, deviceIds: number[], now: Date) => requestModes(tx, deviceIds, true, now)

/** Withdraws the vehicle alert mode from trackers that no vehicle alert watches any more. */
async function withdrawVehicleAlertModes(tx: Tx, deviceIds: number[], now: Date) {
  const guarded = await listVehicleAlertDeviceIds(tx, deviceIds)
  await requestModes(
    tx,
    deviceIds.filter((id) => !guarded.has(id)),
    false,
    now,
  )
}

async function requestModes(tx: Tx, deviceIds: number[], isOn: boolean, now: Date) {
  for (const device of await listDevicesByIds(tx, deviceIds)) {
    const next = nextMode(device, isOn, now)
    if (next === null) continue
    await requestMode(tx, device, next === device.mode ? null : next, now)
  }
}

/** The mode of a tracker once it has the alert. */
export const modeWithAlert = (device: DeviceRow, isVehicleAlert: boolean, now: Date) =>
  (isVehicleAlert ? nextMode(device, true, now) : null) ?? device.pendingMode ?? device.mode

/** The mode to request, based on a pending one; null for no change, or without an active subscription. */
function nextMode({ mode, pendingMode, subState, subEndDate }: DeviceRow, isOn: boolean, now: Date) {
  const upcoming = pendingMode ?? mode
  if (!isModeCode(upcoming) || currentSubState(subState, subEndDate, now) !== 'active') return null
  const next = switchVehicleAlert(upcoming, isOn)
  return next === upcoming ? null : next
}
