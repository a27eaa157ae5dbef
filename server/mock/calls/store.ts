import { eq } from 'drizzle-orm'
import type { Reader } from '#db/open.ts'
import { users } from '#db/tables/accounts.ts'

export async function emailOf(db: Reader, userId: number) {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email
}
