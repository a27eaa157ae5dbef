import { normalizeLogin } from '#contracts/rules/reading/text.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { TOKEN_DAYS } from '#db/sessions.ts'
import { forgetTries } from '#db/throttle.ts'
import { countAttempt, runPasswordWork, takeSlowed } from '#server/http/access/limits.ts'
import { Failure, throttledFor } from '#server/lib/errors.ts'
import { matchesPassword, sha256 } from '#server/lib/secrets.ts'
import type { Caller, HandlerContext, ViewerContext, World } from '#server/ports/world.ts'
import { isKnownBrowser, recordBrowser } from '#server/security/known-browsers.ts'
import { recordEvent, recordOncePerHour } from '#server/security/security-log.ts'
import { LOGIN_ATTEMPTS } from './login-attempts.ts'
import { findUser, findUserByLogin, insertToken, type SessionRow, type UserRow } from './sessions.store.ts'

/** The most sessions of a user at once. A further sign-in ends the least recently used one. */
const MAX_SESSIONS = 100

type SessionPorts = Pick<World, 'clock' | 'ids' | 'live'>

/** Saves a session, and ends the live streams of those that it replaces. */
async function saveSession(tx: Tx, { live }: SessionPorts, row: Parameters<typeof insertToken>[1]) {
  live.endSessions(tx, await insertToken(tx, row, MAX_SESSIONS))
}

/** Creates the session of a full sign-in, which is recent, and returns its token, of which only the hash is stored. */
async function startSession(
  tx: Tx,
  ports: SessionPorts,
  userId: number,
  { caller, end }: { caller?: Caller; end?: Date | undefined } = {},
) {
  const token = ports.ids.token()
  const now = ports.clock.now()
  await saveSession(tx, ports, {
    hash: sha256(token),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: end ?? new Date(now.getTime() + TOKEN_DAYS * DAY_MS),
    agent: caller?.agent ?? null,
    place: caller?.network ?? null,
  })
  return token
}

/**
 * Creates a session with the times of sign-in, confirmation and expiry of another one. Returns its token. Every session that does not begin
 * with a full sign-in is created here.
 */
export async function continueSession(tx: Tx, ports: SessionPorts & Pick<HandlerContext, 'caller'>, session: SessionRow) {
  const { clock, ids, caller } = ports
  const token = ids.token()
  await saveSession(tx, ports, { ...session, hash: sha256(token), lastSeenAt: clock.now(), agent: caller.agent, place: caller.network })
  return token
}

/** Starts the session of a sign-in: remembers the browser and records it. Returns the token and the secret of the browser's cookie. */
export async function openSession(tx: Tx, context: HandlerContext, user: UserRow) {
  const browser = context.caller.browser ?? context.ids.token()
  await recordBrowser(tx, context, user, browser)
  const { id: userId, accountId, email } = user
  await recordEvent(tx, context, { kind: 'sign_in', accountId, userId, who: email, about: context.caller.agent })
  return { browser, token: await startSession(tx, context, userId, { caller: context.caller }) }
}

/** Creates a session without a password, for tests and the control plane; `end` replaces its usual end. Throws when no user has the e-mail. */
export async function signInAs(world: World, email: string, end?: Date): Promise<string> {
  const found = await findUserByLogin(world.db.read, normalizeLogin(email))
  if (!found) throw new Error(`No user has the e-mail ${email}`)
  return world.db.write([], (tx) => startSession(tx, world, found.user.id, { end }))
}

type PasswordOwner = { id: number | null; email: string; passwordHash: string | null }
type Given = { username: string; password: string }

/**
 * Returns the user with this name and password. Throws `invalid_credentials`, or `throttled` after too many failures (decision 037).
 * Response, counting and duration are the same for unknown users. Failures are counted by a hash, so that no typed name is stored.
 */
export async function verifyLogin(context: HandlerContext, { username, password }: Given) {
  const login = normalizeLogin(username)
  const found = await findUserByLogin(context.db.read, login)
  const isRight = await isRightPassword(context, found?.user ?? { id: null, email: login, passwordHash: null }, password)
  if (found && isRight) return found
  if (found) await recordRefusal(context, found.user)
  throw new Failure('invalid_credentials')
}

const recordRefusal = (context: HandlerContext, { id: userId, accountId }: { id: number; accountId: number }) =>
  writeDevices(context.db, [`account:${accountId}`], (tx) =>
    recordOncePerHour(tx, context, { kind: 'sign_in_refused', accountId, userId, about: context.caller.agent }),
  )

/** Checks the password of the signed-in user again. Throws `invalid_password`, or `throttled`: failures count as failed logins. */
export async function verifyPassword(context: HandlerContext, owner: PasswordOwner, password: string) {
  if (!(await isRightPassword(context, owner, password))) throw new Failure('invalid_password')
}

/** Failures of one account from all networks: from this number on, rejections of callers unknown to the account are slowed down. */
const LOGIN_SLOWDOWN = { free: 20, maxSeconds: 30, windowMinutes: 60 }
/** Wrong passwords allowed from one network to an account under attack, in addition to those that `LOGIN_SLOWDOWN` allows. */
const SLOWED_ATTEMPTS = { max: 5, windowMinutes: 60 }

/**
 * Verifies a password. Counts the attempt in advance, by account and browser, network or session, and deletes the count if the password is
 * correct. The correct password is accepted even while callers from other networks slow the account down; only a wrong one is rejected with
 * `throttled` (decision 037).
 */
async function isRightPassword(context: HandlerContext & Partial<ViewerContext>, owner: PasswordOwner, password: string) {
  const { db, caller, clock, limits, viewer } = context
  const account = sha256(owner.email)
  const browser = (await isKnownBrowser(db.read, owner.id, caller)) ? sha256(caller.browser ?? '') : null
  const isStranger = browser === null && viewer === undefined
  const ofCaller = `login:${account}:${browser ?? `${viewer ? 'in ' : ''}${caller.network}`}`
  const whileSlowed = `slowed:${account}:${caller.network}`
  const ofAccount = `logins:${account}`
  const attempts = [`throttle:${ofCaller}`, `throttle:${whileSlowed}`, `throttle:${ofAccount}`] as const
  let slowedFor = 0
  const isRight = await runPasswordWork(caller.network, async () => {
    if (limits.credentials)
      await db.write(attempts, async (tx) => {
        const now = clock.now()
        await countAttempt(tx, ofCaller, LOGIN_ATTEMPTS, now)
        slowedFor = isStranger ? await takeSlowed(tx, ofAccount, LOGIN_SLOWDOWN, now) : 0
        if (slowedFor > 0) await countAttempt(tx, whileSlowed, SLOWED_ATTEMPTS, now)
      })
    const matches = await matchesPassword(password, owner.passwordHash)
    if (matches && limits.credentials)
      await db.write(attempts, async (tx) => {
        for (const key of [ofCaller, whileSlowed, ofAccount]) await forgetTries(tx, key)
      })
    return matches
  })
  if (!isRight && slowedFor > 0) throw throttledFor(slowedFor)
  return isRight
}

/** Returns the signed-in user. Throws `not_authenticated` when the account was removed after the session was looked up. */
export async function getSignedInUser({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>) {
  const user = await findUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  return user
}
