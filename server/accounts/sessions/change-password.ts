import { runPasswordWork } from '#server/http/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { hashPassword } from '#server/lib/secrets.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { savePassword } from './keep-password.ts'
import { getSignedInUser } from './self.ts'
import { findUser } from './sessions.store.ts'
import { startSession } from './sign-in.ts'
import { verifyPassword } from './verify-login.ts'

/** Sets a new password, ends all sessions and returns the token of a new one. Throws `invalid_password`. */
export async function changePassword(context: ViewerContext, { from, to }: { from: string; to: string }) {
  const { db, clock } = context
  const user = await getSignedInUser(context)
  await verifyPassword(context, user, from)
  const passwordHash = await runPasswordWork(() => hashPassword(to))
  return db.write(async (tx) => {
    const current = await findUser(tx, user.id)
    if (current?.passwordHash !== user.passwordHash) throw new Failure('invalid_password')
    await savePassword(tx, current, { passwordHash, now: clock.now() })
    return startSession(tx, context, user.id)
  })
}
