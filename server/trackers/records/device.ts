import { currentSubState } from '#contracts/rules/subscription.ts'
import { allowedModes, deriveUsage } from '#contracts/rules/tracking/mode.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { type DeviceRow, findDevice, type Viewer } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { presentConfig, presentDevice } from './devices.present.ts'
import { findPace, isHidden, listDeviceFacts, updateDevice } from './devices.store.ts'
import { chooseSerialView, showSerial } from './shown-serial.ts'

/** Loads and presents a tracker's configuration. Only a configurable board has reporting intervals. */
export const loadConfig = async (db: DbReader, device: DeviceRow, now: Date) =>
  presentConfig(device, isSct2Board(device.boardName) ? await findPace(db, device.id) : null, now)

export async function getOwnedDeviceInTx(tx: Tx, viewer: Viewer, id: number) {
  const device = await findDevice(tx, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}

export async function getOwnedDevice({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>, id: number) {
  const device = await findDevice(db.read, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}

/** Presents a tracker after the caller has checked that it is the viewer's. */
export async function readDevice(db: DbReader, viewer: Viewer, id: number, now: Date) {
  const [facts] = await listDeviceFacts(db, [id])
  if (!facts) throw new Failure('not_found')
  const device = presentDevice(facts, now, !(await isHidden(db, viewer, id)))
  return { ...device, serial: showSerial(device.serial, chooseSerialView(viewer)) }
}

export async function saveBoost(tx: Tx, device: DeviceRow, boostUntil: Date | null, now: Date) {
  await updateDevice(tx, device.id, { boostUntil })
  const config = await loadConfig(tx, { ...device, boostUntil }, now)
  return appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
}

export function requireSubscription({ subState, subEndDate }: DeviceRow, now: Date) {
  if (currentSubState(subState, subEndDate, now) !== 'active') throw new Failure('subscription_required')
}

export function requireMode({ kind, boardName }: DeviceRow, mode: number) {
  if (!allowedModes(deriveUsage(kind), boardName).some((allowed) => allowed === mode)) throw new Failure('mode_not_allowed')
}

/**
 * Saves a mode as pending until the tracker's next uplink; null cancels a pending one. Returns the new configuration, and the live event to
 * publish after the commit.
 */
export async function requestMode(tx: Tx, device: DeviceRow, pendingMode: number | null, now: Date) {
  await updateDevice(tx, device.id, { pendingMode })
  const config = await loadConfig(tx, { ...device, pendingMode }, now)
  return { config, event: await appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now }) }
}
