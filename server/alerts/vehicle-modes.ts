import { isModeCode, withVehicleAlert } from '#contracts/rules/mode.ts'
import { subStateAt } from '#contracts/rules/sub-state.ts'
import type { Changed } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { requestMode } from '#server/devices/request-mode.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import { devicesOfIds, underVehicleAlert } from './alert-records.store.ts'

/** A transaction that alerts come and go in: its time, and where the trackers that it changes are told. */
export type Change = { now: Date; touch: (device: Changed) => void }

/** Asks these trackers for the mode with the vehicle alert (D-14); answers the events to publish once it is kept. */
export const guardVehicles = (tx: Tx, deviceIds: number[], change: Change) => requestModes(tx, deviceIds, true, change)

/** Takes the vehicle alert back from those of the trackers that no alert names any more. */
export async function releaseVehicles(tx: Tx, deviceIds: number[], change: Change) {
  const guarded = await underVehicleAlert(tx, deviceIds)
  return requestModes(
    tx,
    deviceIds.filter((id) => !guarded.has(id)),
    false,
    change,
  )
}

async function requestModes(tx: Tx, deviceIds: number[], isOn: boolean, { now, touch }: Change) {
  const events: LiveEvent[] = []
  for (const device of await devicesOfIds(tx, deviceIds)) {
    const wanted = wantedMode(device, isOn, now)
    if (wanted === null) continue
    touch(device)
    events.push((await requestMode(tx, device, wanted === device.mode ? null : wanted, now)).event)
  }
  return events
}

/** The mode to ask for, seen from the one that waits; null when nothing is to change, as without a running subscription. */
function wantedMode({ mode, pendingMode, subState, subEndDate }: DeviceRow, isOn: boolean, now: Date) {
  const coming = pendingMode ?? mode
  if (!isModeCode(coming) || subStateAt(subState, subEndDate, now) !== 'active') return null
  const wanted = withVehicleAlert(coming, isOn)
  return wanted === coming ? null : wanted
}
