import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findUser } from './sessions.store.ts'

/** Returns the signed-in user. Throws `not_authenticated` when the account was removed after the session was looked up. */
export async function getSignedInUser({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>) {
  const user = await findUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  return user
}
