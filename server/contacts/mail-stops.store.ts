import { and, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { mailStops } from '#db/schema/places.ts'

type Address = { accountId: number; email: string }

const isOf = ({ accountId, email }: Address) => and(eq(mailStops.accountId, accountId), eq(mailStops.email, email))

export async function findStop(db: DbReader, address: Address) {
  const [row] = await db.select().from(mailStops).where(isOf(address))
  return row
}

/** A second stop changes nothing. Fails for an account that was erased. */
export const insertStop = (tx: Tx, stop: typeof mailStops.$inferInsert) => tx.insert(mailStops).values(stop).onConflictDoNothing()

export const deleteStop = (tx: Tx, address: Address) => tx.delete(mailStops).where(isOf(address))
