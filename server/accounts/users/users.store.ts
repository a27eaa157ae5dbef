import { and, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfRow, recordEndings } from '#db/endings.ts'
import { listSpellings } from '#db/people.ts'
import { accounts, teamDevices, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'

const userWithAdminEmail = { user: users, adminEmail: accounts.adminEmail }

export async function findUserWithAdminEmail(db: DbReader, id: number) {
  const [found] = await db
    .select(userWithAdminEmail)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}

/** Whether any of the names is a user name or e-mail of a user other than `self`. Both are used to sign in, so both must be unique. */
export async function isLoginTaken(db: DbReader, logins: string[], self?: number) {
  const names = logins.flatMap(listSpellings)
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(or(inArray(users.username, names), inArray(users.email, names)), self === undefined ? undefined : ne(users.id, self)))
    .limit(1)
  return rows.length > 0
}

export type UserRow = typeof users.$inferSelect
type NewUser = Omit<typeof users.$inferInsert, 'id' | 'accountId'>

export async function insertUserWithAccount(tx: Tx, user: NewUser) {
  const [account] = await tx.insert(accounts).values({}).returning({ id: accounts.id })
  const [row] = await tx
    .insert(users)
    .values({ ...user, accountId: account!.id })
    .returning()
  return row!
}

type UserChange = Partial<
  Pick<typeof users.$inferInsert, 'firstName' | 'lastName' | 'birthDate' | 'language' | 'currency' | 'marketingConsent' | 'timeZone'>
>

export const updateUser = (tx: Tx, id: number, change: UserChange) => tx.update(users).set(change).where(eq(users.id, id))

export const updateAdminEmail = (tx: Tx, accountId: number, adminEmail: string | null) =>
  tx.update(accounts).set({ adminEmail }).where(eq(accounts.id, accountId))

/**
 * Removes a user with their own rows and the mails about them, which the foreign key cascades to; the account and its trackers stay. Mails
 * of other accounts to the same address stay, since anybody can register with an address; mails without an account are removed.
 */
export async function removeUser(tx: Tx, user: UserRow) {
  const { id: userId, email } = user
  await recordEndings(tx, 'user', [nameOfRow(user)])
  await tx.delete(teamDevices).where(eq(teamDevices.userId, userId))
  await tx.delete(unlinkRequests).where(eq(unlinkRequests.userId, userId))
  await tx.delete(emails).where(and(eq(emails.to, email), isNull(emails.userId)))
  await tx.delete(users).where(eq(users.id, userId))
}

type AcceptedTerms = { version: string | null; at: Date | null }

export async function findAcceptedTerms(db: DbReader, userId: number): Promise<AcceptedTerms | undefined> {
  const [row] = await db.select({ version: users.termsVersion, at: users.termsAcceptedAt }).from(users).where(eq(users.id, userId))
  return row
}

export const saveAcceptedTerms = (tx: Tx, userId: number, { version, at }: AcceptedTerms) =>
  tx.update(users).set({ termsVersion: version, termsAcceptedAt: at }).where(eq(users.id, userId))

export const listAccountDevices = (db: DbReader, accountId: number) => db.select().from(devices).where(eq(devices.accountId, accountId))

/** All other rows of the account are deleted by foreign key cascade. */
export const removeAccount = (tx: Tx, accountId: number) => tx.delete(accounts).where(eq(accounts.id, accountId))
