import { isDeepStrictEqual } from 'node:util'
import type { AlertChange, AlertRule, AlertSchedule, NewAlert } from '#contracts/alerts.ts'
import type { Circle, Geofence, Trigger } from '#contracts/rules/geo/place.ts'
import type { Shape } from '#contracts/rules/geo/shape.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { findMissingParts, supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { isModeCode, switchVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import { findLevelErrors, findPairErrors, findRuleErrors } from '#contracts/rules/tracking/rules/faults.ts'
import { isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import { listVehicleAlertDeviceIds } from '#db/alerts.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { switchLearning } from '#db/usual-areas.ts'
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
import { startRules } from './due-alerts.ts'
import { encloseNewShape } from './shapes.ts'

/** A complete alert to be saved; `unseen` are watched trackers that the viewer may not see. */
export type AlertDraft = {
  name: string | null
  devices: number[]
  unseen: number[]
  contacts: number[]
  place: number | null
  trigger: Trigger | null
  vehicle_alert: boolean
  rule: AlertRule | null
  schedule: AlertSchedule | null
  pause: number
  /** Stands for the place of an alert that is not saved. */
  border?: Geofence | null | undefined
}

/** Throws `validation_error` with every invalid field, or `vehicle_only`. */
export async function validateAlert(tx: DbReader, viewer: Viewer, draft: AlertDraft) {
  const errors: Record<string, string[]> = {}
  const place = draft.place ?? draft.border ?? null
  if (draft.rule) Object.assign(errors, findRuleErrors({ ...draft, place, rule: draft.rule }))
  else
    for (const field of findMissingParts({ ...draft, place }))
      errors[field] = ['Place and trigger go together, and are required unless it is a vehicle alert or has a rule']
  const seen = await listVisibleDevices(tx, viewer, draft.devices)
  if (draft.rule)
    // A tracker out of sight cannot be one of a pair.
    Object.assign(errors, findLevelErrors(draft.rule, seen), findPairErrors(draft.rule, draft.unseen.length > 0 ? 0 : draft.devices.length))
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

export const buildDraft = ({
  name,
  devices,
  contacts,
  place = null,
  trigger = null,
  vehicle_alert,
  rule = null,
  schedule = null,
  pause = 0,
}: NewAlert): AlertDraft => ({
  name: name || null,
  devices: unique(devices),
  unseen: [],
  contacts: unique(contacts),
  place,
  trigger,
  vehicle_alert,
  rule,
  schedule: schedule && sortDays(schedule),
  pause,
})

/** The border of a place that is not saved, or not so. */
type UnsavedBorder = { circle?: Circle | null | undefined; shape?: Shape | null | undefined }

/** The trackers and the place of a valid alert that is not saved. Throws like `validateAlert`. */
export async function loadUnsavedAlert(
  db: DbReader,
  viewer: Viewer,
  { circle, shape, ...body }: Omit<NewAlert, 'contacts'> & UnsavedBorder,
) {
  const border = shape ? encloseNewShape(shape) : circle
  const draft = { ...buildDraft({ ...body, contacts: [] }), border }
  await validateAlert(db, viewer, draft)
  const devices = (await listVisibleDevices(db, viewer, draft.devices)).sort((a, b) => a.id - b.id)
  const saved = draft.place === null ? null : ((await findPlace(db, viewer.accountId, draft.place)) ?? null)
  const { trigger, vehicle_alert: isVehicleAlert, rule, schedule, pause } = draft
  return { devices, watched: { place: border ? { ...border, id: 0, name: '' } : saved, trigger, isVehicleAlert, rule, schedule, pause } }
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
    rule: change.rule === undefined ? alert.rule : change.rule,
    schedule: change.schedule === undefined ? alert.schedule : change.schedule && sortDays(change.schedule),
    pause: change.pause ?? alert.pause,
  }
}

/** Saves a validated alert; returns its id. */
export async function createAlert(tx: Tx, { accountId }: Viewer, draft: AlertDraft, now: Date) {
  const { id } = await insertAlert(tx, { accountId, ...toColumns(draft) })
  await replaceAlertDevices(tx, id, draft.devices)
  await replaceAlertContacts(tx, id, draft.contacts)
  if (draft.vehicle_alert) await requestVehicleAlertModes(tx, draft.devices, now)
  if (draft.rule) await startRules(tx, id, draft.devices, now)
  await learnFor(tx, draft, now)
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
  const isOtherPair = isPairRule(after.rule) && without(watching, watched).length > 0
  const isOther =
    isOtherPair || after.placeId !== before.placeId || after.trigger !== before.trigger || !isDeepStrictEqual(after.rule, before.rule)
  if (isOther) await clearCrossings(tx, id)
  if (after.rule && (isOther || !isDeepStrictEqual(after.schedule, before.schedule))) await startRules(tx, id, watching, now)
  else if (after.rule) await startRules(tx, id, without(watching, watched), now)
  await learnFor(tx, { rule: after.rule, devices: isOther ? watching : without(watching, watched) }, now)
  const [guarded, guarding] = [isGuarding(before) ? watched : [], isGuarding(after) ? watching : []]
  await requestVehicleAlertModes(tx, without(guarding, guarded), now)
  await withdrawVehicleAlertModes(tx, without(guarded, guarding), now)
}

/** The rule needs to know where its trackers usually are. */
async function learnFor(tx: Tx, { rule, devices }: Pick<AlertDraft, 'rule' | 'devices'>, now: Date) {
  if (rule?.kind === 'unusual') for (const id of devices) await switchLearning(tx, id, true, now)
}

const isGuarding = ({ isVehicleAlert, offSince }: AlertRow) => isVehicleAlert && offSince === null

/** Switches an alert off or on. When switched on it starts again from the last fix of each tracker. */
export async function switchAlert(tx: Tx, before: AlertRow, isOn: boolean, now: Date) {
  if (isOn === (before.offSince === null)) return
  const after = { ...before, offSince: isOn ? null : now }
  const watched = before.isVehicleAlert ? await listWatchedDeviceIds(tx, [before.id]) : []
  if (isOn && before.isVehicleAlert) await requireVehicles(tx, watched)
  await updateAlertRow(tx, after)
  await clearCrossings(tx, before.id)
  if (isOn && before.rule) await startRules(tx, before.id, await listWatchedDeviceIds(tx, [before.id]), now)
  await (isOn ? requestVehicleAlertModes(tx, watched, now) : withdrawVehicleAlertModes(tx, watched, now))
}

const toColumns = ({ name, place, trigger, vehicle_alert, rule, schedule, pause }: AlertDraft) => ({
  name,
  placeId: place,
  trigger,
  isVehicleAlert: vehicle_alert,
  rule,
  schedule,
  pause,
})

const sortDays = ({ days, ...hours }: AlertSchedule): AlertSchedule => ({ days: unique(days).sort((a, b) => a - b), ...hours })

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
