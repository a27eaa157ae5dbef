import { currentSubState } from '#contracts/rules/subscription.ts'
import { isModeCode, switchVehicleAlert } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import type { ChangedDevice } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { requestMode } from '#server/devices/device-settings.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import { listDevicesByIds, listVehicleAlertDeviceIds } from './alerts.store.ts'

/** Transaction time, and the callback that marks devices as changed. */
export type AlertTransaction = { now: Date; touch: (device: ChangedDevice) => void }

/** Requests the vehicle alert mode on the trackers; returns the live events to publish after the commit. */
export const requestVehicleAlertModes = (tx: Tx, deviceIds: number[], change: AlertTransaction) => requestModes(tx, deviceIds, true, change)

/** Withdraws the vehicle alert mode from trackers that no vehicle alert watches any more. */
export async function withdrawVehicleAlertModes(tx: Tx, deviceIds: number[], change: AlertTransaction) {
  const guarded = await listVehicleAlertDeviceIds(tx, deviceIds)
  return requestModes(
    tx,
    deviceIds.filter((id) => !guarded.has(id)),
    false,
    change,
  )
}

async function requestModes(tx: Tx, deviceIds: number[], isOn: boolean, { now, touch }: AlertTransaction) {
  const events: LiveEvent[] = []
  for (const device of await listDevicesByIds(tx, deviceIds)) {
    const next = nextMode(device, isOn, now)
    if (next === null) continue
    touch(device)
    events.push((await requestMode(tx, device, next === device.mode ? null : next, now)).event)
  }
  return events
}

/** The mode to request, based on a pending one; null for no change, or without an active subscription. */
function nextMode({ mode, pendingMode, subState, subEndDate }: DeviceRow, isOn: boolean, now: Date) {
  const upcoming = pendingMode ?? mode
  if (!isModeCode(upcoming) || currentSubState(subState, subEndDate, now) !== 'active') return null
  const next = switchVehicleAlert(upcoming, isOn)
  return next === upcoming ? null : next
}
