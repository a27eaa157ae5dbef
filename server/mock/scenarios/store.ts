import { eq } from 'drizzle-orm'
import type { Reader } from '#db/open.ts'
import { accounts, users } from '#db/tables/accounts.ts'

/** A persona as it is by now, whatever its e-mail; undefined once it is gone. */
export async function userOf(db: Reader, id: number) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, id))
  return found
}
