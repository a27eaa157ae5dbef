import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { type DeviceRow, findDevice, type Viewer } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { presentConfig, presentDevice } from './devices.present.ts'
import { findPace, isHidden, listDeviceFacts } from './devices.store.ts'

/** Loads and presents a tracker's configuration. Only a board with a configurable mode has a pace. */
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

/** Presents a tracker that the caller has checked to be the viewer's. */
export async function readDevice(db: DbReader, viewer: Viewer, id: number, now: Date) {
  const [facts] = await listDeviceFacts(db, [id])
  if (!facts) throw new Failure('not_found')
  const device = presentDevice(facts, now, !(await isHidden(db, viewer, id)))
  return viewer.isProgram ? { ...device, serial: null } : device
}
