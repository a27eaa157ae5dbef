import { and, asc, eq, lte, min } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { paymentTasks, subscriptions } from '#db/schema/commerce.ts'

export type PaymentTask = typeof paymentTasks.$inferSelect

/** Queues calls to Stripe that follow the transaction. A task that is queued already becomes due again. */
export async function queueTasks(tx: Tx, tasks: readonly Pick<PaymentTask, 'kind' | 'ref'>[], now: Date) {
  for (const task of tasks) {
    const set = { attempts: 0, nextAttemptAt: now }
    await tx
      .insert(paymentTasks)
      .values({ ...task, ...set })
      .onConflictDoUpdate({ target: [paymentTasks.kind, paymentTasks.ref], set })
  }
}

/** Queues the deletion of a Stripe customer with its cards and subscriptions. */
export async function queueCustomerDeletion(tx: Tx, accountId: number, now: Date) {
  const [account] = await tx.select({ ref: accounts.stripeCustomer }).from(accounts).where(eq(accounts.id, accountId))
  if (account?.ref) await queueTasks(tx, [{ kind: 'forget', ref: account.ref }], now)
}

/** Oldest first. */
export const listDueTasks = (db: DbReader, by: Date): Promise<PaymentTask[]> =>
  db.select().from(paymentTasks).where(lte(paymentTasks.nextAttemptAt, by)).orderBy(asc(paymentTasks.id))

export async function findNextTaskDate(db: DbReader) {
  const [row] = await db.select({ at: min(paymentTasks.nextAttemptAt) }).from(paymentTasks)
  return row?.at ?? null
}

/** Deletes a finished task, unless it was queued again meanwhile. */
export const removeFinishedTask = (tx: Tx, { id, nextAttemptAt }: PaymentTask) =>
  tx.delete(paymentTasks).where(and(eq(paymentTasks.id, id), eq(paymentTasks.nextAttemptAt, nextAttemptAt)))

export const postponeTask = (tx: Tx, { id, attempts }: PaymentTask, nextAttemptAt: Date) =>
  tx
    .update(paymentTasks)
    .set({ attempts: attempts + 1, nextAttemptAt })
    .where(eq(paymentTasks.id, id))

/** Prices at which a Stripe subscription still renews trackers of ours. */
export async function listRenewedPrices(db: DbReader, providerId: string): Promise<(string | null)[]> {
  const rows = await db.select({ price: subscriptions.priceId }).from(subscriptions).where(eq(subscriptions.providerId, providerId))
  return rows.map(({ price }) => price)
}
