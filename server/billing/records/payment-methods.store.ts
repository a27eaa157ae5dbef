import { and, asc, desc, eq, inArray, max } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { paymentMethods, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'

export type CardRow = typeof paymentMethods.$inferSelect

export const listCards = (db: DbReader, accountId: number): Promise<CardRow[]> =>
  db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.accountId, accountId))
    .orderBy(desc(paymentMethods.isDefault), asc(paymentMethods.id))

export async function findCard(db: DbReader, accountId: number, id: string): Promise<CardRow | undefined> {
  const [card] = await db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.id, id), eq(paymentMethods.accountId, accountId)))
  return card
}

export async function findCustomer(db: DbReader, accountId: number) {
  const [account] = await db.select({ customer: accounts.stripeCustomer }).from(accounts).where(eq(accounts.id, accountId))
  return account?.customer ?? null
}

export async function findDefaultCard(db: DbReader, customer: string) {
  const [card] = await db
    .select({ id: paymentMethods.id })
    .from(paymentMethods)
    .innerJoin(accounts, eq(accounts.id, paymentMethods.accountId))
    .where(and(eq(accounts.stripeCustomer, customer), eq(paymentMethods.isDefault, true)))
  return card?.id
}

/** Replaces all saved cards of a customer with those read from Stripe; does nothing when no account has that customer. */
export async function replaceCards(tx: Tx, customer: string, cards: readonly Omit<CardRow, 'accountId'>[]) {
  const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.stripeCustomer, customer))
  if (!account) return
  await tx.delete(paymentMethods).where(eq(paymentMethods.accountId, account.id))
  if (cards.length > 0) await tx.insert(paymentMethods).values(cards.map((card) => ({ ...card, accountId: account.id })))
}

/** Trackers of an account whose subscription renews. */
export const listRenewingDevices = (db: DbReader, accountId: number) => {
  const newest = db
    .select({ id: max(subscriptions.id) })
    .from(subscriptions)
    .groupBy(subscriptions.deviceId)
  return db
    .select({ subState: devices.subState, subEndDate: devices.subEndDate })
    .from(devices)
    .innerJoin(subscriptions, eq(subscriptions.deviceId, devices.id))
    .where(and(eq(devices.accountId, accountId), eq(subscriptions.isRecurring, true), inArray(subscriptions.id, newest)))
}
