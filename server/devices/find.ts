import { findDevice, type Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'

export async function ownedWithin(tx: Tx, viewer: Viewer, id: number) {
  const device = await findDevice(tx, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
