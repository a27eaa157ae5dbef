import { findDevice } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Context } from '#server/ports/world.ts'

/** The viewer's tracker of that id; anybody else's is not found. */
export async function ownedDevice({ db, viewer }: Pick<Context, 'db' | 'viewer'>, id: number) {
  const device = await findDevice(db.read, viewer, id)
  if (!device) throw new Failure('not_found')
  return device
}
