import { supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { deriveUsage, nearestMode, switchVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import type { TrackerChange } from '#contracts/trackers/trackers.ts'
import { listVehicleAlertDeviceIds } from '#db/alerts.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { invalidField } from '#server/lib/errors.ts'
import { hasTag, saveVisibility, updateDevice } from '#server/trackers/records/devices.store.ts'
import { requestMode } from './mode.ts'

export async function changeTracker(tx: Tx, viewer: Viewer, device: DeviceRow, change: TrackerChange, now: Date) {
  const { name = device.name, kind = device.kind, tag: tagId = device.tagId, visible } = change
  if (tagId !== null && !(await hasTag(tx, device.accountId, tagId))) throw invalidField('tag', 'No such tag')
  await updateDevice(tx, device.id, { name, kind, tagId })
  if (visible !== undefined) await saveVisibility(tx, { userId: viewer.userId, deviceId: device.id }, visible)
  if (kind !== device.kind) await changeKind(tx, { ...device, name, tagId }, kind, now)
}

/**
 * Changes the kind and with it the allowed modes: a current or pending mode that is no longer allowed is replaced by a request for the
 * nearest one. The vehicle alert is switched on again for a tracker that becomes a vehicle if an alert still watches it.
 */
async function changeKind(tx: Tx, device: DeviceRow, kind: Kind, now: Date) {
  const nearest = nearestMode(device.pendingMode ?? device.mode, deriveUsage(kind), device.boardName)
  const becomesVehicle = supportsVehicleAlert(kind) && !supportsVehicleAlert(device.kind)
  const isGuarded = becomesVehicle && (await listVehicleAlertDeviceIds(tx, [device.id])).size > 0
  const next = isGuarded ? switchVehicleAlert(nearest, true) : nearest
  await requestMode(tx, { ...device, kind }, next === device.mode ? null : next, now)
}
