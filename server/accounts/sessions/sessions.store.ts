import { eq, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts, tokens, users } from '#db/schema/accounts.ts'
import { deleteTokens } from '#server/accounts/api-tokens/api-tokens.store.ts'

export type UserRow = typeof users.$inferSelect

const userWithAdminEmail = { user: users, adminEmail: accounts.adminEmail }

/** Finds a user by user name or e-mail, both stored in lower case. */
export async function findUserByLogin(db: DbReader, login: string) {
  const isNamed = or(eq(users.username, login), eq(users.email, login))
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

export const insertToken = (tx: Tx, token: typeof tokens.$inferInsert) => tx.insert(tokens).values(token)

/** Sets a password and ends every session and API token of the user. A first password also confirms the e-mail, since it was set by a mailed link. */
export async function replacePassword(tx: Tx, user: UserRow, passwordHash: string) {
  const emailConfirmed = user.emailConfirmed || user.passwordHash === null
  await tx.update(users).set({ passwordHash, emailConfirmed }).where(eq(users.id, user.id))
  await tx.delete(tokens).where(eq(tokens.userId, user.id))
  await deleteTokens(tx, user.id)
}
