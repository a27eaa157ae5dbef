import { and, desc, eq } from 'drizzle-orm'
import { orders } from '#db/schema/commerce.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'
import type { Reader } from '#db/sqlite/open.ts'

export type OrderRow = typeof orders.$inferSelect

/** Newest first. */
export const listOrders = (db: Reader, viewer: Viewer): Promise<OrderRow[]> =>
  db.select().from(orders).where(ofAccount(orders.accountId, viewer)).orderBy(desc(orders.date), desc(orders.reference))

export async function findOrder(db: Reader, viewer: Viewer, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.reference, reference), ofAccount(orders.accountId, viewer)))
  return row
}
