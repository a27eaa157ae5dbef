import { and, desc, eq, gt, like, ne } from 'drizzle-orm'
import type { OpenSession } from '#contracts/accounts/security.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { writeDevices } from '#db/device-changes.ts'
import { tokens } from '#db/schema/accounts.ts'
import { idleSince } from '#db/sessions.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'

/** Digits of a token's hash that name the session: enough to tell sessions of one user apart, and no secret. */
const ID_LENGTH = 16

type Ports = Pick<World, 'db' | 'live'>

/** The sessions of the user that have not ended, the last used first. */
export async function listOpenSessions({ db, clock, viewer, session }: ViewerContext): Promise<OpenSession[]> {
  const now = clock.now()
  const rows = await db.read
    .select()
    .from(tokens)
    .where(and(eq(tokens.userId, viewer.userId), gt(tokens.expiresAt, now), gt(tokens.lastSeenAt, idleSince(now))))
    .orderBy(desc(tokens.lastSeenAt), desc(tokens.createdAt), tokens.hash)
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
export async function endSession(ports: Ports, hash: string) {
  await deleteSessions(ports, eq(tokens.hash, hash))
}

/** Throws `not_found` unless the user has such a session. */
export async function endNamedSession(context: ViewerContext, id: string) {
  const ended = await deleteSessions(context, and(eq(tokens.userId, context.viewer.userId), like(tokens.hash, `${id}%`)))
  if (ended === 0) throw new Failure('not_found')
}

export async function endOtherSessions(context: ViewerContext) {
  await deleteSessions(context, and(eq(tokens.userId, context.viewer.userId), ne(tokens.hash, context.session)))
}

async function deleteSessions({ db, live }: Ports, which: ReturnType<typeof and>) {
  const ended = await writeDevices(db, (tx) => tx.delete(tokens).where(which).returning({ hash: tokens.hash }))
  live.endSessions(ended.map(({ hash }) => hash))
  return ended.length
}
