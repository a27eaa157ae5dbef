import { findDevice } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'

export async function getOwnedDevice({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>, id: number) {
  const device = await findDevice(db.read, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
