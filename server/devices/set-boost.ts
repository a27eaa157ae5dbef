import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { keepEvent } from '#server/live/live-log.store.ts'
import { configOf } from './config.ts'
import { updateDevice } from './devices.store.ts'

export async function saveBoost(tx: Tx, device: DeviceRow, boostUntil: Date | null, now: Date) {
  await updateDevice(tx, device.id, { boostUntil })
  const config = await configOf(tx, { ...device, boostUntil }, now)
  return keepEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
}
