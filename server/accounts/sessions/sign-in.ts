import { LOGIN_ATTEMPTS, TOKEN_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { forgetTries } from '#db/throttle.ts'
import { countAttempt, runPasswordWork } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { matchesPassword, sha256 } from '#server/lib/secrets.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'
import { findToken, findUser, findUserByLogin, insertToken } from './sessions.store.ts'

/** Creates a session and returns its token, of which only the hash is stored. */
export async function startSession(tx: Tx, { clock, ids }: Pick<World, 'clock' | 'ids'>, userId: number) {
  const token = ids.token()
  await insertToken(tx, { hash: sha256(token), userId, expiresAt: new Date(clock.now().getTime() + TOKEN_DAYS * DAY_MS) })
  return token
}

/** Creates a session without a password, for tests and the control plane. Throws when no user has the e-mail. */
export async function signInAs(world: World, email: string): Promise<string> {
  const found = await findUserByLogin(world.db.read, email)
  if (!found) throw new Error(`No user has the e-mail ${email}`)
  return world.db.write((tx) => startSession(tx, world, found.user.id))
}

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
    return matchesPassword(password, passwordHash)
  })
  if (isRight && limits.credentials) await db.write((tx) => forgetTries(tx, key))
  return isRight
}

/** Returns the signed-in user. Throws `not_authenticated` when the account was removed after the session was looked up. */
export async function getSignedInUser({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>) {
  const user = await findUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  return user
}

const FRESH_MINUTES = 10

/** Whether the session began with a sign-in of the last ten minutes. Only such a session may add a second factor. */
export async function isFreshSession({ db, clock, session }: Pick<ViewerContext, 'db' | 'clock' | 'session'>) {
  const token = await findToken(db.read, session)
  const age = token ? clock.now().getTime() - (token.expiresAt.getTime() - TOKEN_DAYS * DAY_MS) : Number.POSITIVE_INFINITY
  return age < FRESH_MINUTES * MINUTE_MS
}
