import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { checkouts, paymentEffects, paymentEvents, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { lockAccounts } from '#db/scope.ts'

/** A checkout session can be paid for 24 hours; the remaining time allows its webhook to arrive late. */
const CHECKOUT_MS = 26 * HOUR_MS

type IncomingEvent = { id: string; type: string; customer: string | null; charge: string | null }

/**
 * Inserts events into the inbox, each once, and returns how many were new. An event about neither a customer nor a charge counts as
 * handled.
 */
export async function insertEvents(tx: Tx, events: readonly IncomingEvent[], now: Date) {
  let count = 0
  for (const event of events) {
    const row = { ...event, receivedAt: now, handledAt: event.customer === null && event.charge === null ? now : null }
    count += (await tx.insert(paymentEvents).values(row).onConflictDoNothing().returning()).length
  }
  return count
}

/** Customers with unhandled events in the inbox. */
export async function listCustomersWithEvents(db: DbReader): Promise<string[]> {
  const rows = await db
    .selectDistinct({ customer: paymentEvents.customer })
    .from(paymentEvents)
    .where(and(isNull(paymentEvents.handledAt), isNotNull(paymentEvents.customer)))
    .orderBy(asc(paymentEvents.customer))
  return rows.flatMap(({ customer }) => customer ?? [])
}

/** Unhandled events that name only a charge. */
export async function listChargeEvents(db: DbReader) {
  const rows = await db
    .select({ id: paymentEvents.id, charge: paymentEvents.charge })
    .from(paymentEvents)
    .where(and(isNull(paymentEvents.handledAt), isNull(paymentEvents.customer)))
  return rows.flatMap(({ id, charge }) => (charge === null ? [] : [{ id, charge }]))
}

export const setEventCustomer = (tx: Tx, id: string, customer: string) =>
  tx.update(paymentEvents).set({ customer }).where(eq(paymentEvents.id, id))

export const countUnhandledEvents = (db: DbReader) => db.$count(paymentEvents, isNull(paymentEvents.handledAt))

export async function listUnhandledEvents(db: DbReader, customer: string): Promise<string[]> {
  const rows = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(isNull(paymentEvents.handledAt), eq(paymentEvents.customer, customer)))
  return rows.map(({ id }) => id)
}

export async function markEventsHandled(tx: Tx, ids: string[], now: Date) {
  if (ids.length > 0) await tx.update(paymentEvents).set({ handledAt: now }).where(inArray(paymentEvents.id, ids))
}

/** Marks an effect as done in this transaction; returns true only the first time. */
export async function claimEffect(tx: Tx, effect: string, now: Date) {
  return (await tx.insert(paymentEffects).values({ key: effect, at: now }).onConflictDoNothing().returning()).length === 1
}

export async function findAccountId(db: DbReader, customer: string) {
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.stripeCustomer, customer))
  return account?.id
}

/** Locks the account of a customer; nothing for a customer without an account. */
export const customerLock = (customer: string) =>
  lockAccounts((db) => db.select({ accountId: accounts.id }).from(accounts).where(eq(accounts.stripeCustomer, customer)))

/** Oldest first. */
export const listProviderSubscriptions = (db: DbReader, accountId: number) =>
  db
    .select({ subscription: subscriptions, device: devices })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(eq(devices.accountId, accountId), isNotNull(subscriptions.providerId)))
    .orderBy(asc(subscriptions.id))
export type ProviderSubscription = Awaited<ReturnType<typeof listProviderSubscriptions>>[number]

const isOverdue = (now: Date) =>
  and(
    isNotNull(subscriptions.providerId),
    or(eq(subscriptions.status, 'past_due'), and(eq(subscriptions.isRecurring, true), lte(subscriptions.renewsAt, now))),
  )

const isPending = (since: Date) => and(isNull(checkouts.grantedAt), gte(checkouts.openedAt, since))

/** Customers for whom Stripe should have done something already, or may within the hour. */
export async function listOverdueCustomers(db: DbReader, now: Date): Promise<string[]> {
  const charged = db.select({ id: devices.accountId }).from(subscriptions).innerJoin(devices, eq(devices.id, subscriptions.deviceId))
  const bought = db.select({ id: checkouts.accountId }).from(checkouts)
  const isAwaited = [charged.where(isOverdue(now)), bought.where(isPending(new Date(now.getTime() - CHECKOUT_MS)))]
  const rows = await db
    .select({ customer: accounts.stripeCustomer })
    .from(accounts)
    .where(or(...isAwaited.map((ids) => inArray(accounts.id, ids))))
    .orderBy(asc(accounts.id))
  return rows.flatMap(({ customer }) => customer ?? [])
}

/** The customer of an account with an ungranted checkout since `since`. */
export async function findPendingCustomer(db: DbReader, accountId: number, since: Date) {
  const [row] = await db
    .select({ customer: accounts.stripeCustomer })
    .from(checkouts)
    .innerJoin(accounts, eq(accounts.id, checkouts.accountId))
    .where(and(eq(checkouts.accountId, accountId), isPending(since)))
    .limit(1)
  return row?.customer ?? null
}

/** The customer of an account with a failed or overdue charge. */
export async function findOverdueCustomer(db: DbReader, accountId: number, now: Date) {
  const [row] = await db
    .select({ customer: accounts.stripeCustomer })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .innerJoin(accounts, eq(accounts.id, devices.accountId))
    .where(and(eq(devices.accountId, accountId), isOverdue(now)))
    .limit(1)
  return row?.customer ?? null
}

export const updateSubscription = (tx: Tx, id: number, change: Partial<typeof subscriptions.$inferInsert>) =>
  tx.update(subscriptions).set(change).where(eq(subscriptions.id, id))

/** Sets the end of a tracker's newest subscription, which is the one displayed. */
export async function setNewestEnd(tx: Tx, deviceId: number, endsAt: Date) {
  const [newest] = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.deviceId, deviceId))
    .orderBy(desc(subscriptions.id))
    .limit(1)
  if (newest) await updateSubscription(tx, newest.id, { endsAt })
}
