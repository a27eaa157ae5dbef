import { and, asc, eq, isNull, lte, min, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { paymentEvents, paymentTasks, subscriptions } from '#db/schema/commerce.ts'

export type PaymentTask = typeof paymentTasks.$inferSelect

/**
 * Queues calls to Stripe that follow the transaction. A task that is already queued becomes due again at a new time, from which a running
 * execution sees that it was queued again.
 */
export async function queueTasks(tx: Tx, tasks: readonly Pick<PaymentTask, 'kind' | 'ref'>[], now: Date) {
  const { nextAttemptAt } = paymentTasks
  const anew = sql`case when ${nextAttemptAt} <= ${now.getTime()} then ${nextAttemptAt} - 1 else ${now.getTime()} end`
  for (const task of tasks)
    await tx
      .insert(paymentTasks)
      .values({ ...task, attempts: 0, nextAttemptAt: now, createdAt: now })
      .onConflictDoUpdate({ target: [paymentTasks.kind, paymentTasks.ref], set: { attempts: 0, nextAttemptAt: anew } })
}

/** Queues the deletion of a Stripe customer with its cards and subscriptions. */
export async function queueCustomerDeletion(tx: Tx, accountId: number, now: Date) {
  const [account] = await tx.select({ ref: accounts.stripeCustomer }).from(accounts).where(eq(accounts.id, accountId))
  if (account?.ref) await queueTasks(tx, [{ kind: 'forget', ref: account.ref }], now)
}

/** Queues writing into the metadata at Stripe which trackers the subscriptions of an account renew now. */
export async function queueDescription(tx: Tx, accountId: number, now: Date) {
  const [account] = await tx.select({ ref: accounts.stripeCustomer }).from(accounts).where(eq(accounts.id, accountId))
  if (account?.ref) await queueTasks(tx, [{ kind: 'describe', ref: account.ref }], now)
}

/** Tasks of one run: a new price of many subscriptions must not hold up the events of Stripe. */
const AT_ONCE = 100

/** Those of a purchase or an account first, then changes of prices, oldest first. */
export const listDueTasks = (db: DbReader, by: Date): Promise<PaymentTask[]> =>
  db
    .select()
    .from(paymentTasks)
    .where(lte(paymentTasks.nextAttemptAt, by))
    .orderBy(sql`case when ${paymentTasks.kind} = 'reprice' then 1 else 0 end`, asc(paymentTasks.id))
    .limit(AT_ONCE)

export async function findNextTaskDate(db: DbReader) {
  const [row] = await db.select({ at: min(paymentTasks.nextAttemptAt) }).from(paymentTasks)
  return row?.at ?? null
}

/** When the oldest call was queued that has not succeeded at Stripe yet, or the oldest unhandled event arrived. */
export async function findOldestPaymentWork(db: DbReader) {
  const queuedAt = sql<number | null>`min(coalesce(${paymentTasks.createdAt}, ${paymentTasks.nextAttemptAt}))`
  const [task] = await db.select({ at: queuedAt }).from(paymentTasks)
  const [event] = await db
    .select({ at: min(paymentEvents.receivedAt) })
    .from(paymentEvents)
    .where(isNull(paymentEvents.handledAt))
  const instants = [task?.at, event?.at?.getTime()].filter((at) => typeof at === 'number')
  return instants.length > 0 ? new Date(Math.min(...instants)) : null
}

/** Deletes a finished task, unless it was queued again meanwhile. */
export const removeFinishedTask = (tx: Tx, task: PaymentTask) => tx.delete(paymentTasks).where(isUnchanged(task))

const isUnchanged = ({ id, nextAttemptAt }: PaymentTask) => and(eq(paymentTasks.id, id), eq(paymentTasks.nextAttemptAt, nextAttemptAt))

/** Reserves a due task for this process until a time; undefined when another process was faster. */
export async function claimTask(tx: Tx, task: PaymentTask, until: Date): Promise<PaymentTask | undefined> {
  const [claimed] = await tx.update(paymentTasks).set({ nextAttemptAt: until }).where(isUnchanged(task)).returning()
  return claimed
}

/** Postpones a failed task, unless it was queued again meanwhile. */
export const postponeTask = (tx: Tx, task: PaymentTask, nextAttemptAt: Date) =>
  tx
    .update(paymentTasks)
    .set({ attempts: task.attempts + 1, nextAttemptAt })
    .where(isUnchanged(task))

/** Prices at which a Stripe subscription still renews trackers of ours. */
export async function listRenewedPrices(db: DbReader, providerId: string): Promise<(string | null)[]> {
  const rows = await db.select({ price: subscriptions.priceId }).from(subscriptions).where(eq(subscriptions.providerId, providerId))
  return rows.map(({ price }) => price)
}
