import { asc, eq, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'

/** The owner of an account: of a team its administrator, not a member who was added later. None once the account is erased. */
export async function findAccountOwner(db: DbReader, accountId: number) {
  const { id, firstName, lastName, email, emailConfirmed, language, timeZone } = users
  const [owner] = await db
    .select({ id, firstName, lastName, email, emailConfirmed, language, timeZone })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(sql`${users.role} = 'pro'`, asc(users.id))
    .limit(1)
  return owner
}
export type Owner = NonNullable<Awaited<ReturnType<typeof findAccountOwner>>>

/** The language that a person has chosen. */
export async function findLanguage(db: DbReader, userId: number) {
  const [reader] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return reader!.language
}
