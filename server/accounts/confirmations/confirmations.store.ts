import { eq } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'

export const markEmailConfirmed = (tx: Tx, userId: number) => tx.update(users).set({ emailConfirmed: true }).where(eq(users.id, userId))

type User = Pick<typeof users.$inferSelect, 'id' | 'username' | 'email'>

/** Replaces the e-mail and marks it confirmed; a user name equal to the old e-mail changes with it. */
export const replaceEmail = (tx: Tx, { id, username, email: old }: User, email: string) =>
  tx
    .update(users)
    .set({ email, emailConfirmed: true, username: username === old ? email : username })
    .where(eq(users.id, id))
