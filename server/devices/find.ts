import { findDevice, type Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'

/** Returns a tracker of the viewer within a transaction. Throws `not_found`. */
export async function ownedWithin(tx: Tx, viewer: Viewer, id: number) {
  const device = await findDevice(tx, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
