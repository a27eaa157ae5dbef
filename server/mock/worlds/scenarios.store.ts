import { eq } from 'drizzle-orm'
import { accounts, users } from '#db/schema/accounts.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** Finds a persona by id, whatever its current e-mail; undefined when it was deleted. */
export async function userOf(db: Reader, id: number) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}
