import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { allowedModes, deriveUsage } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { updateDevice } from '#server/trackers/records/devices.store.ts'

/** Throws `subscription_required` also while the plan is paused. */
export function requireSubscription(device: DeviceRow, now: Date) {
  const { subState, subEndDate } = device
  if (currentSubState(subState, subEndDate, now) !== 'active' || isPaused(device, now)) throw new Failure('subscription_required')
}

export function requireMode({ kind, boardName }: DeviceRow, mode: number) {
  if (!allowedModes(deriveUsage(kind), boardName).some((allowed) => allowed === mode)) throw new Failure('mode_not_allowed')
}

/** Saves a mode as pending until the tracker's next uplink; null cancels a pending one. Returns the new configuration. */
export async function requestMode(tx: Tx, device: DeviceRow, pendingMode: number | null, now: Date) {
  await updateDevice(tx, device.id, { pendingMode })
  const config = await loadConfig(tx, { ...device, pendingMode }, now)
  await appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
  return config
}

export async function saveBoost(tx: Tx, device: DeviceRow, boostUntil: Date | null, now: Date) {
  await updateDevice(tx, device.id, { boostUntil })
  const config = await loadConfig(tx, { ...device, boostUntil }, now)
  await appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
}
