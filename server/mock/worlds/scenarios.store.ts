import { eq } from 'drizzle-orm'
import { accounts, users } from '#db/schema/accounts.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** A persona as it is by now, whatever its e-mail; undefined once it is gone. */
export async function userOf(db: Reader, id: number) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}
