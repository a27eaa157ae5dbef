import { and, desc, eq, gt, like, ne, type SQL } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { tokens } from '#db/schema/accounts.ts'
import { idleSince } from '#db/scope.ts'

/** The sessions of a user that have not ended, the last used first. */
export const listSessions = (db: DbReader, userId: number, now: Date) =>
  db
    .select()
    .from(tokens)
    .where(and(eq(tokens.userId, userId), gt(tokens.expiresAt, now), gt(tokens.lastSeenAt, idleSince(now))))
    .orderBy(desc(tokens.lastSeenAt), desc(tokens.createdAt), tokens.hash)

export const deleteSession = (tx: Tx, hash: string) => tx.delete(tokens).where(eq(tokens.hash, hash))

/** Deletes the sessions of a user whose hash begins with the text. */
export const deleteNamedSessions = (tx: Tx, userId: number, start: string) => deleteSessions(tx, userId, like(tokens.hash, `${start}%`))

/** Deletes all sessions of a user but one. */
export const deleteOtherSessions = (tx: Tx, userId: number, kept: string | null) =>
  deleteSessions(tx, userId, kept === null ? undefined : ne(tokens.hash, kept))

const deleteSessions = (tx: Tx, userId: number, which: SQL | undefined) =>
  tx
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), which))
    .returning({ hash: tokens.hash, agent: tokens.agent })
