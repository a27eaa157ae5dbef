import { and, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'

export async function hasPendingRequest(db: DbReader, identifier: string) {
  return (await db.$count(unlinkRequests, and(eq(unlinkRequests.identifier, identifier), eq(unlinkRequests.status, 'pending')))) > 0
}

export async function insertRequest(tx: Tx, request: typeof unlinkRequests.$inferInsert) {
  const [added] = await tx.insert(unlinkRequests).values(request).returning()
  return added!
}
