import { findDevice, type Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'

/** The viewer's tracker as it is within the transaction; anybody else's is not found. */
export async function ownedWithin(tx: Tx, viewer: Viewer, id: number) {
  const device = await findDevice(tx, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
