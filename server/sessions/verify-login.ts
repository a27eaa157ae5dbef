import { LOGIN_ATTEMPTS } from '#contracts/constants.ts'
import { forgetTries } from '#db/throttle.ts'
import { Failure } from '#server/lib/errors.ts'
import { countTry, passwordWork } from '#server/lib/limits.ts'
import { isPassword, sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/lib/world.ts'
import { findByLogin } from './store.ts'

/**
 * Whose name and password these are. Throws `invalid_credentials`, or `throttled` after 10 wrong tries in 15 minutes (D-36).
 * Answer, count and time are alike whether or not the account exists; what was typed as a name is counted by its hash only.
 */
export async function verifyLogin({ db, clock, limits }: World, { username, password }: { username: string; password: string }) {
  const login = username.toLowerCase()
  const found = await findByLogin(db.read, login)
  const key = `login:${sha256(found?.user.email ?? login)}`
  const isRight = await passwordWork(async () => {
    if (limits.credentials) await db.write((tx) => countTry(tx, key, LOGIN_ATTEMPTS, clock.now()))
    return isPassword(password, found?.user.passwordHash ?? null)
  })
  if (!found || !isRight) throw new Failure('invalid_credentials')
  if (limits.credentials) await db.write((tx) => forgetTries(tx, key))
  return found
}
