import type { Kind } from '#contracts/lib/constants.ts'
import { takesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { nearestMode, usageOf, withVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import type { TrackerChange } from '#contracts/trackers.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { listVehicleAlertDeviceIds } from '#server/alerts/alert-records.store.ts'
import { updateDevice } from '#server/devices/devices.store.ts'
import { requestMode } from '#server/devices/request-mode.ts'
import { invalid } from '#server/lib/errors.ts'
import { hasTag, saveVisibility } from './trackers.store.ts'

/** Applies the given changes; returns the live events to publish after the commit. */
export async function changeTracker(tx: Tx, viewer: Viewer, device: DeviceRow, change: TrackerChange, now: Date) {
  const { name = device.name, kind = device.kind, tag: tagId = device.tagId, visible } = change
  if (tagId !== null && !(await hasTag(tx, device.accountId, tagId))) throw invalid('tag', 'No such tag')
  await updateDevice(tx, device.id, { name, kind, tagId })
  if (visible !== undefined) await saveVisibility(tx, { userId: viewer.userId, deviceId: device.id }, visible)
  return kind === device.kind ? [] : [await changeKind(tx, { ...device, name, tagId }, kind, now)]
}

/**
 * Changes the kind and with it the allowed modes: a current or pending mode that is no longer allowed is replaced by a request for the
 * nearest one. A tracker that becomes a vehicle gets the vehicle alert back when an alert still watches it.
 */
async function changeKind(tx: Tx, device: DeviceRow, kind: Kind, now: Date) {
  const nearest = nearestMode(device.pendingMode ?? device.mode, usageOf(kind), device.boardName)
  const becomesVehicle = takesVehicleAlert(kind) && !takesVehicleAlert(device.kind)
  const isGuarded = becomesVehicle && (await listVehicleAlertDeviceIds(tx, [device.id])).size > 0
  const wanted = isGuarded ? withVehicleAlert(nearest, true) : nearest
  const { event } = await requestMode(tx, { ...device, kind }, wanted === device.mode ? null : wanted, now)
  return event
}
