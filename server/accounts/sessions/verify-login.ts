import { LOGIN_ATTEMPTS } from '#contracts/lib/constants.ts'
import { forgetTries } from '#db/throttle.ts'
import { countTry, passwordWork } from '#server/http/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { isPassword, sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { findByLogin } from './sessions.store.ts'

type Owner = { email: string; passwordHash: string | null }

/**
 * Returns the user with this name and password. Throws `invalid_credentials`, or `throttled` after 10 failures in 15 minutes. Response,
 * count and duration are the same for unknown users, and failures are counted by a hash, so that no typed name is stored.
 */
export async function verifyLogin(world: World, { username, password }: { username: string; password: string }) {
  const login = username.toLowerCase()
  const found = await findByLogin(world.db.read, login)
  const isRight = await isPasswordOf(world, found?.user ?? { email: login, passwordHash: null }, password)
  if (!found || !isRight) throw new Failure('invalid_credentials')
  return found
}

/** Checks the password of the signed-in user again. Throws `invalid_password`, or `throttled`: failures count as failed logins. */
export async function verifyPassword(world: World, owner: Owner, password: string) {
  if (!(await isPasswordOf(world, owner, password))) throw new Failure('invalid_password')
}

async function isPasswordOf({ db, clock, limits }: World, { email, passwordHash }: Owner, password: string) {
  const key = `login:${sha256(email)}`
  const isRight = await passwordWork(async () => {
    if (limits.credentials) await db.write((tx) => countTry(tx, key, LOGIN_ATTEMPTS, clock.now()))
    return isPassword(password, passwordHash)
  })
  if (isRight && limits.credentials) await db.write((tx) => forgetTries(tx, key))
  return isRight
}
