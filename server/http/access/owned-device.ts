import type { Tx } from '#db/db.ts'
import { findDevice, type Viewer } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Returns a tracker that the viewer may see. Throws `not_found` for all others. */
export async function getOwnedDevice({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>, id: number) {
  const device = await findDevice(db.read, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}

export async function getOwnedDeviceInTx(tx: Tx, viewer: Viewer, id: number) {
  const device = await findDevice(tx, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
