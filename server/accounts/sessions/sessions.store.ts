import { and, desc, eq, gt, inArray, ne, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfPassword, recordEndings } from '#db/endings.ts'
import { listSpellings } from '#db/people.ts'
import { accounts, tokens, users } from '#db/schema/accounts.ts'
import { handOffs } from '#db/schema/security.ts'
import { idleSince } from '#db/scope.ts'
import { deleteTokens } from '#server/accounts/api-tokens/api-tokens.store.ts'

export type UserRow = typeof users.$inferSelect

const userWithAdminEmail = { user: users, adminEmail: accounts.adminEmail }

/** Finds a user by user name or e-mail, both normalized. */
export async function findUserByLogin(db: DbReader, login: string) {
  const spellings = listSpellings(login)
  const isNamed = or(inArray(users.username, spellings), inArray(users.email, spellings))
  const [found] = await db
    .select(userWithAdminEmail)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(isNamed)
    .limit(1)
  return found
}

export async function findUserWithAccount(db: DbReader, id: number) {
  const [found] = await db
    .select(userWithAdminEmail)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}

export async function findUser(db: DbReader, id: number) {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

export type SessionRow = typeof tokens.$inferSelect

export async function findSession(db: DbReader, hash: string) {
  const [session] = await db.select().from(tokens).where(eq(tokens.hash, hash))
  return session
}

/**
 * Saves a session and ends the user's least recently used ones beyond `max`, but none used at the same moment. Returns the ended ones.
 */
export async function insertToken(tx: Tx, token: typeof tokens.$inferInsert, max: number) {
  await tx.insert(tokens).values(token)
  const surplus = await tx
    .select({ hash: tokens.hash, lastSeenAt: tokens.lastSeenAt })
    .from(tokens)
    .where(and(eq(tokens.userId, token.userId), ne(tokens.hash, token.hash)))
    .orderBy(desc(tokens.lastSeenAt), desc(tokens.createdAt), tokens.hash)
    .offset(max - 1)
    .limit(max)
  const ended = surplus.filter(({ lastSeenAt }) => lastSeenAt < token.lastSeenAt)
  const hashes = ended.map(({ hash }) => hash)
  if (hashes.length > 0) await tx.delete(tokens).where(inArray(tokens.hash, hashes))
  return ended
}

/** Replaces the code of the session, so that only the newest is valid. */
export async function replaceHandOff(tx: Tx, code: Omit<typeof handOffs.$inferInsert, 'usedAt'>) {
  await tx.delete(handOffs).where(eq(handOffs.session, code.session))
  await tx.insert(handOffs).values(code)
}

/** Finds a code that has not expired, used or not, with the session that created it if that is still open. */
export async function findHandOff(db: DbReader, hash: string, now: Date) {
  const [found] = await db
    .select({ ...userWithAdminEmail, handOff: handOffs, session: tokens })
    .from(handOffs)
    .innerJoin(tokens, eq(tokens.hash, handOffs.session))
    .innerJoin(users, eq(users.id, tokens.userId))
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(and(eq(handOffs.hash, hash), gt(handOffs.expiresAt, now), gt(tokens.expiresAt, now), gt(tokens.lastSeenAt, idleSince(now))))
  return found
}

export const markHandOffUsed = (tx: Tx, hash: string, usedAt: Date) => tx.update(handOffs).set({ usedAt }).where(eq(handOffs.hash, hash))

/** Sets a password and ends every session and API token of the user. A first password also confirms the e-mail, since it was set by a mailed link. */
export async function replacePassword(tx: Tx, user: UserRow, passwordHash: string) {
  const emailConfirmed = user.emailConfirmed || user.passwordHash === null
  await tx.update(users).set({ passwordHash, emailConfirmed }).where(eq(users.id, user.id))
  if (user.passwordHash !== null) await recordEndings(tx, 'password', [nameOfPassword({ ...user, passwordHash: user.passwordHash })])
  await tx.delete(tokens).where(eq(tokens.userId, user.id))
  await deleteTokens(tx, user.id)
}
