import { TOKEN_DAYS } from '#contracts/constants.ts'
import type { Tx } from '#db/open.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/lib/world.ts'
import { findByEmail, insertToken } from './store.ts'

const DAY_MS = 86_400_000

/** Begins a session of the user; answers its token, of which only the hash is kept (D-36). */
export async function startSession(tx: Tx, { clock, ids }: Pick<World, 'clock' | 'ids'>, userId: number) {
  const token = ids.token()
  await insertToken(tx, { hash: sha256(token), userId, expiresAt: new Date(clock.now().getTime() + TOKEN_DAYS * DAY_MS) })
  return token
}

/** A session without the form, for tests and the control plane. Throws when nobody has the e-mail. */
export async function signInAs(world: World, email: string): Promise<string> {
  const user = await findByEmail(world.db.read, email)
  if (!user) throw new Error(`Nobody has the e-mail ${email}`)
  return world.db.write((tx) => startSession(tx, world, user.id))
}
