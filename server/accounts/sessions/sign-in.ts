import { TOKEN_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { findUserByLogin, insertToken } from './sessions.store.ts'

/** Creates a session and returns its token, of which only the hash is stored. */
export async function startSession(tx: Tx, { clock, ids }: Pick<World, 'clock' | 'ids'>, userId: number) {
  const token = ids.token()
  await insertToken(tx, { hash: sha256(token), userId, expiresAt: new Date(clock.now().getTime() + TOKEN_DAYS * DAY_MS) })
  return token
}

/** Creates a session without a password, for tests and the control plane. Throws when no user has the e-mail. */
export async function signInAs(world: World, email: string): Promise<string> {
  const found = await findUserByLogin(world.db.read, email)
  if (!found) throw new Error(`Nobody has the e-mail ${email}`)
  return world.db.write((tx) => startSession(tx, world, found.user.id))
}
