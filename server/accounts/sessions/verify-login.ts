import { LOGIN_ATTEMPTS } from '#contracts/lib/constants.ts'
import { forgetTries } from '#db/throttle.ts'
import { countAttempt, runPasswordWork } from '#server/http/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { isPassword, sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { findUserByLogin } from './sessions.store.ts'

type PasswordOwner = { email: string; passwordHash: string | null }

/**
 * Returns the user with this name and password. Throws `invalid_credentials`, or `throttled` after 10 failures in 15 minutes. Response,
 * count and duration are the same for unknown users, and failures are counted by a hash, so that no typed name is stored.
 */
export async function verifyLogin(world: World, { username, password }: { username: string; password: string }) {
  const login = username.toLowerCase()
  const found = await findUserByLogin(world.db.read, login)
  const isRight = await isRightPassword(world, found?.user ?? { email: login, passwordHash: null }, password)
  if (!found || !isRight) throw new Failure('invalid_credentials')
  return found
}

/** Checks the password of the signed-in user again. Throws `invalid_password`, or `throttled`: failures count as failed logins. */
export async function verifyPassword(world: World, owner: PasswordOwner, password: string) {
  if (!(await isRightPassword(world, owner, password))) throw new Failure('invalid_password')
}

async function isRightPassword({ db, clock, limits }: World, { email, passwordHash }: PasswordOwner, password: string) {
  const key = `login:${sha256(email)}`
  const isRight = await runPasswordWork(async () => {
    if (limits.credentials) await db.write((tx) => countAttempt(tx, key, LOGIN_ATTEMPTS, clock.now()))
    return isPassword(password, passwordHash)
  })
  if (isRight && limits.credentials) await db.write((tx) => forgetTries(tx, key))
  return isRight
}
