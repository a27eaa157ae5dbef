import { and, desc, eq } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { orders } from '#db/schema/commerce.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'

export type OrderRow = typeof orders.$inferSelect

/** Newest first. */
export const listOrders = (db: DbReader, viewer: Viewer): Promise<OrderRow[]> =>
  db.select().from(orders).where(ofAccount(orders.accountId, viewer)).orderBy(desc(orders.date), desc(orders.reference))

export async function findOrder(db: DbReader, viewer: Viewer, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.reference, reference), ofAccount(orders.accountId, viewer)))
  return row
}
