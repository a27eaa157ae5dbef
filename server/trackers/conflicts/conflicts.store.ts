import { and, eq } from 'drizzle-orm'
import { unlinkRequests } from '#db/schema/sharing.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'

export async function hasPendingRequest(db: Reader, identifier: string) {
  return (await db.$count(unlinkRequests, and(eq(unlinkRequests.identifier, identifier), eq(unlinkRequests.status, 'pending')))) > 0
}

export async function insertRequest(tx: Tx, request: typeof unlinkRequests.$inferInsert) {
  const [added] = await tx.insert(unlinkRequests).values(request).returning()
  return added!
}
