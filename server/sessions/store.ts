import { eq } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import { tokens, users } from '#db/tables/accounts.ts'

/** One user by e-mail, as it is stored: in lower case. */
export async function findByEmail(db: Reader, email: string) {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}

export const insertToken = (tx: Tx, token: typeof tokens.$inferInsert) => tx.insert(tokens).values(token)
