import type { OpenSession } from '#contracts/accounts/security.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Db, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'
import {
  deleteAllApiTokens,
  deleteAllSessions,
  deleteNamedSessions,
  deleteOtherSessions,
  deleteSession,
  findUserId,
  insertEntries,
  listSessions,
  listUsers,
} from './security.store.ts'
import { recordEvent } from './security-log.ts'

/** Leading digits of a token's hash that identify the session: enough to tell one user's sessions apart, and no secret. */
const ID_LENGTH = 16

/** The user's sessions that have not expired, most recently used first. */
export async function listOpenSessions({ db, clock, viewer, session }: ViewerContext): Promise<OpenSession[]> {
  const rows = await listSessions(db.read, viewer.userId, clock.now())
  return rows.map(({ hash, createdAt, lastSeenAt, agent, place }) => ({
    id: hash.slice(0, ID_LENGTH),
    created_at: formatInstant(createdAt),
    last_seen_at: formatInstant(lastSeenAt),
    agent,
    place,
    current: hash === session,
  }))
}

/** Ends a session and its live streams at once. */
export async function endSession({ db, live }: Pick<World, 'db' | 'live'>, hash: string) {
  await writeDevices(db, [], async (tx) => {
    await deleteSession(tx, hash)
    live.endSessions(tx, [{ hash }])
  })
}

/** Throws `not_found` unless the user has such a session. */
export async function endNamedSession(context: ViewerContext, id: string) {
  const ended = await endSessions(context, (tx, userId) => deleteNamedSessions(tx, userId, id))
  if (ended === 0) throw new Failure('not_found')
  return { ended }
}

export async function endOtherSessions(context: ViewerContext) {
  return { ended: await endSessions(context, (tx, userId) => deleteOtherSessions(tx, userId, context.session)) }
}

type Delete = (tx: Tx, userId: number) => ReturnType<typeof deleteOtherSessions>

/** Ends sessions of the user, with their live streams; returns how many there were. */
function endSessions(context: ViewerContext, deleteRows: Delete) {
  const { userId } = context.viewer
  return writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const rows = await deleteRows(tx, userId)
    for (const { agent } of rows) await recordEvent(tx, context, { kind: 'session_ended', userId, about: agent })
    context.live.endSessions(tx, rows)
    return rows.length
  })
}

/** Below the number of parameters that a database accepts in one statement. */
const ROWS_AT_ONCE = 500

type Whose = {
  /** Sessions of the user with this e-mail; of all users when null. */
  email: string | null
  withApiTokens: boolean
  now: Date
}
type EndedSessions = { users: number; sessions: number; apiTokens: number }

/**
 * Ends sessions outside of a request, for the operator and after a restore, together with their hand-off codes. Adds a line to the security
 * log of each user who had a session or token. Live streams end at their next heartbeat, within 15 seconds. Throws when no user has the
 * e-mail.
 */
export function endAllSessions(db: Db, { email, withApiTokens, now }: Whose): Promise<EndedSessions> {
  // Runs alone, so that no concurrent sign-in or hand-off saves a session that this one does not see.
  return db.write('everything', async (tx) => {
    const userId = email === null ? null : await findUserId(tx, normalizeAddress(email))
    if (userId === undefined) throw new Error(`No user has the e-mail ${email}`)
    const sessions = await deleteAllSessions(tx, userId)
    const apiTokens = withApiTokens ? await deleteAllApiTokens(tx, userId) : []
    const ids = new Set([...sessions, ...apiTokens].map((row) => row.userId))
    const told = (await listUsers(tx, userId)).filter((user) => ids.has(user.userId))
    for (let from = 0; from < told.length; from += ROWS_AT_ONCE) {
      const users = told.slice(from, from + ROWS_AT_ONCE)
      await insertEntries(
        tx,
        users.map((user) => ({ ...user, kind: 'sessions_ended' as const, at: now })),
      )
    }
    return { users: ids.size, sessions: sessions.length, apiTokens: apiTokens.length }
  })
}
