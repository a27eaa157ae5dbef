import { supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { deriveUsage, nearestMode, switchVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import { currentNetworkState, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import type { Kind } from '#contracts/rules/tracking/tracker.ts'
import type { TrackerChange } from '#contracts/trackers/trackers.ts'
import { listVehicleAlertDeviceIds } from '#db/alerts.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import { invalidField } from '#server/lib/errors.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
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

/** Activates the network of a silent tracker and restarts its count of silent days. Does nothing when it is active. */
export function activateNetwork({ db, clock, viewer }: ViewerContext, id: number) {
  const now = clock.now()
  return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
    const device = await getOwnedDeviceInTx(tx, viewer, id)
    const isActive = currentNetworkState(silenceStart(device), device.networkState, now) === 'active'
    if (isActive) return loadConfig(tx, device, now)
    const change = { networkState: 'active' as const, networkActivatedAt: now }
    await updateDevice(tx, device.id, change)
    const config = await loadConfig(tx, { ...device, ...change }, now)
    await appendLiveEvent(tx, { device, type: 'network', body: { tracker_config: config }, at: now })
    return config
  })
}
