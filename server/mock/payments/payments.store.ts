import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { invoices, paymentMethods, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'

/** Accounts with a Stripe customer and their users; the first user of an account is its administrator, who pays. */
export const listCustomers = (db: DbReader) =>
  db
    .select({
      id: accounts.stripeCustomer,
      accountId: accounts.id,
      createdAt: users.createdAt,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      language: users.language,
    })
    .from(accounts)
    .innerJoin(users, eq(users.accountId, accounts.id))
    .where(isNotNull(accounts.stripeCustomer))
    .orderBy(asc(accounts.id), asc(users.id))

export const listPrices = (db: DbReader) => db.select().from(prices).orderBy(asc(prices.id))

export const listCards = (db: DbReader) => db.select().from(paymentMethods).orderBy(asc(paymentMethods.id))

export const listInvoices = (db: DbReader) => db.select().from(invoices).where(isNotNull(invoices.providerId)).orderBy(asc(invoices.id))

export const listRenewals = (db: DbReader) =>
  db
    .select({ subscription: subscriptions, price: prices, accountId: devices.accountId, device: devices.name, tracker: devices })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(isNotNull(subscriptions.providerId), inArray(subscriptions.status, ['active', 'past_due', 'unpaid'])))
    .orderBy(asc(subscriptions.id))
export type Renewal = Awaited<ReturnType<typeof listRenewals>>[number]

export async function findStripeSubscriptionId(db: DbReader, id: number) {
  const [row] = await db.select({ providerId: subscriptions.providerId }).from(subscriptions).where(eq(subscriptions.id, id))
  return row?.providerId ?? undefined
}

export async function findStripeInvoiceId(db: DbReader, id: number) {
  const [row] = await db.select({ providerId: invoices.providerId }).from(invoices).where(eq(invoices.id, id))
  return row?.providerId ?? undefined
}
