import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader } from '#db/db.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import { chooseSerialView, showSerial } from '#server/trackers/serials/shown-serial.ts'
import { presentConfig, presentDevice } from './devices.present.ts'
import { findPace, isHidden, listDeviceFacts } from './devices.store.ts'

/** Loads and presents a tracker's configuration. Only a configurable board has reporting intervals. */
export const loadConfig = async (db: DbReader, device: DeviceRow, now: Date) =>
  presentConfig(device, isSct2Board(device.boardName) ? await findPace(db, device.id) : null, now)

/** Presents a tracker after the caller has checked that it is the viewer's. */
export async function readDevice(db: DbReader, viewer: Viewer, id: number, now: Date) {
  const [facts] = await listDeviceFacts(db, [id])
  if (!facts) throw new Failure('not_found')
  const device = presentDevice(facts, now, !(await isHidden(db, viewer, id)))
  return { ...device, serial: showSerial(device.serial, chooseSerialView(viewer)) }
}
