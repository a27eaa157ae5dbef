import { and, asc, eq, lte, min } from 'drizzle-orm'
import { accounts } from '#db/schema/accounts.ts'
import { paymentTasks, subscriptions } from '#db/schema/commerce.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'

export type Task = typeof paymentTasks.$inferSelect

/** Asks for something at the provider, to be done after the transaction; what is asked for already is asked for anew. */
export async function addTasks(tx: Tx, tasks: readonly Pick<Task, 'kind' | 'ref'>[], now: Date) {
  for (const task of tasks) {
    const set = { attempts: 0, nextAttemptAt: now }
    await tx
      .insert(paymentTasks)
      .values({ ...task, ...set })
      .onConflictDoUpdate({ target: [paymentTasks.kind, paymentTasks.ref], set })
  }
}

/** An account that is erased leaves no card and no subscription at the provider. */
export async function forgetCustomer(tx: Tx, accountId: number, now: Date) {
  const [account] = await tx.select({ ref: accounts.stripeCustomer }).from(accounts).where(eq(accounts.id, accountId))
  if (account?.ref) await addTasks(tx, [{ kind: 'forget', ref: account.ref }], now)
}

/** What is to be tried by then, the oldest first. */
export const tasksDue = (db: Reader, by: Date): Promise<Task[]> =>
  db.select().from(paymentTasks).where(lte(paymentTasks.nextAttemptAt, by)).orderBy(asc(paymentTasks.id))

export async function nextTask(db: Reader) {
  const [row] = await db.select({ at: min(paymentTasks.nextAttemptAt) }).from(paymentTasks)
  return row?.at ?? null
}

/** Forgets a task that is done, unless it was asked for anew meanwhile. */
export const finishTask = (tx: Tx, { id, nextAttemptAt }: Task) =>
  tx.delete(paymentTasks).where(and(eq(paymentTasks.id, id), eq(paymentTasks.nextAttemptAt, nextAttemptAt)))

export const postponeTask = (tx: Tx, { id, attempts }: Task, nextAttemptAt: Date) =>
  tx
    .update(paymentTasks)
    .set({ attempts: attempts + 1, nextAttemptAt })
    .where(eq(paymentTasks.id, id))

/** At which prices we still have trackers renewed by a subscription of the provider. */
export async function renewedPrices(db: Reader, providerId: string): Promise<(string | null)[]> {
  const rows = await db.select({ price: subscriptions.priceId }).from(subscriptions).where(eq(subscriptions.providerId, providerId))
  return rows.map(({ price }) => price)
}
