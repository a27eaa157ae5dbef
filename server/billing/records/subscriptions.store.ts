import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, max, ne, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { checkouts, invoices, orders, prices, subscriptions, verificationCodes } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { type DeviceRow, devicesOf, type Viewer } from '#db/scope.ts'
import { nextNumber } from './invoices.store.ts'
import { queueTasks } from './payment-tasks.store.ts'
import { holdAmounts } from './prices.store.ts'

export type PriceRow = typeof prices.$inferSelect
export type SubscriptionRow = typeof subscriptions.$inferSelect
export type CheckoutRow = typeof checkouts.$inferSelect

/** Plans by ascending months, recurring before one-time, then options; not the replacements of care plans. */
export const listOfferedPrices = async (db: DbReader, now: Date) =>
  holdAmounts(
    db,
    await db
      .select()
      .from(prices)
      .where(and(eq(prices.isOffered, true), ne(prices.type, 'tracker')))
      .orderBy(desc(prices.type), asc(prices.months), sql`${prices.interval} is null`, asc(prices.currency), asc(prices.id)),
    now,
  )

export const findPricesById = async (db: DbReader, ids: string[], now: Date) => {
  const rows = await holdAmounts(db, await db.select().from(prices).where(inArray(prices.id, ids)), now)
  return new Map(rows.map((row) => [row.id, row]))
}

export const findDevicesById = async (db: DbReader, viewer: Viewer, ids: number[]): Promise<Map<number, DeviceRow>> => {
  const rows = await db
    .select()
    .from(devices)
    .where(and(inArray(devices.id, ids), devicesOf(db, viewer)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The newest subscription row of a tracker is the valid one. */
export async function findSubscription(db: DbReader, deviceId: number): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.deviceId, deviceId)).orderBy(desc(subscriptions.id)).limit(1)
  return row
}

/** The tracker's state before a subscription. */
export async function findSubscriptionBefore(db: DbReader, { id, deviceId }: SubscriptionRow): Promise<SubscriptionRow | undefined> {
  const isBefore = and(eq(subscriptions.deviceId, deviceId), lt(subscriptions.id, id))
  const [row] = await db.select().from(subscriptions).where(isBefore).orderBy(desc(subscriptions.id)).limit(1)
  return row
}

/** The subscription of each visible tracker, in the order of the trackers. */
export const listSubscriptions = async (db: DbReader, viewer: Viewer): Promise<SubscriptionRow[]> => {
  const newest = db
    .select({ id: max(subscriptions.id) })
    .from(subscriptions)
    .groupBy(subscriptions.deviceId)
  const rows = await db
    .select({ subscription: subscriptions })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(inArray(subscriptions.id, newest), devicesOf(db, viewer)))
    .orderBy(asc(subscriptions.deviceId))
  return rows.map(({ subscription }) => subscription)
}

export async function getPayer(db: DbReader, { userId }: Viewer) {
  const [row] = await db
    .select({
      accountId: accounts.id,
      customer: accounts.stripeCustomer,
      createdAt: users.createdAt,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      language: users.language,
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId))
  return row!
}
export type Payer = Awaited<ReturnType<typeof getPayer>>

export const saveCustomer = (tx: Tx, accountId: number, customer: string) =>
  tx.update(accounts).set({ stripeCustomer: customer }).where(eq(accounts.id, accountId))

/** A double click returns the same session, which is stored once. */
export const saveCheckout = (tx: Tx, checkout: Omit<CheckoutRow, 'grantedAt'>) =>
  tx.insert(checkouts).values(checkout).onConflictDoNothing()

/** Checkouts of the account since then that are not granted yet, newest first. */
export const listRecentCheckouts = (db: DbReader, accountId: number, since: Date): Promise<CheckoutRow[]> =>
  db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), isNull(checkouts.grantedAt), gte(checkouts.openedAt, since)))
    .orderBy(desc(checkouts.openedAt), desc(checkouts.sessionId))

/** Marks a checkout of the account as granted and returns it; undefined when it is unknown or already granted. */
export async function claimCheckout(tx: Tx, { sessionId, accountId }: Pick<CheckoutRow, 'sessionId' | 'accountId'>, now: Date) {
  const [row] = await tx
    .update(checkouts)
    .set({ grantedAt: now })
    .where(and(eq(checkouts.sessionId, sessionId), eq(checkouts.accountId, accountId), isNull(checkouts.grantedAt)))
    .returning()
  return row
}

export async function findDevice(db: DbReader, id: number): Promise<DeviceRow | undefined> {
  const [row] = await db.select().from(devices).where(eq(devices.id, id))
  return row
}

export const activateDevice = (tx: Tx, deviceId: number, subEndDate: Date | null) =>
  tx.update(devices).set({ subState: 'active', subEndDate }).where(eq(devices.id, deviceId))

export async function addSubscription(tx: Tx, row: Omit<SubscriptionRow, 'id'>): Promise<SubscriptionRow> {
  const [added] = await tx.insert(subscriptions).values(row).returning()
  return added!
}

/** Column values of a subscription that does not renew and has no price. */
export const withoutRenewal = {
  priceId: null,
  isRecurring: false,
  tax: null,
  renewsAt: null,
  providerId: null,
  status: null,
  heldUntil: null,
  renewalAmount: null,
} satisfies Partial<SubscriptionRow>

/** Stops the current renewal of a tracker, so that nothing is charged twice. A task calls Stripe after the transaction. */
export async function stopRenewals(tx: Tx, deviceId: number, now: Date) {
  const isRenewed = and(eq(subscriptions.deviceId, deviceId), isNotNull(subscriptions.providerId))
  const renewed = await tx.select({ ref: subscriptions.providerId }).from(subscriptions).where(isRenewed)
  const stopped = { providerId: null, status: 'canceled', isRecurring: false, renewsAt: null }
  await tx.update(subscriptions).set(stopped).where(isRenewed)
  await queueTasks(
    tx,
    renewed.flatMap(({ ref }) => (ref ? { kind: 'trim' as const, ref } : [])),
    now,
  )
}

export const setOptions = (tx: Tx, id: number, options: string[]) =>
  tx.update(subscriptions).set({ options }).where(eq(subscriptions.id, id))

export async function findCode(tx: Tx, code: string) {
  const [row] = await tx.select().from(verificationCodes).where(eq(verificationCodes.code, code))
  return row
}

export const markCodeUsed = (tx: Tx, code: string, deviceId: number, usedAt: Date) =>
  tx.update(verificationCodes).set({ deviceId, usedAt }).where(eq(verificationCodes.code, code))

type PaidOrder = Omit<typeof orders.$inferInsert, 'reference' | 'invoiceId'> & { providerId: string | null; earlierNumber: number }

/** Returns the invoice of the order. */
export async function addPaidOrder(tx: Tx, { providerId, earlierNumber, ...order }: PaidOrder) {
  const number = await nextNumber(tx, earlierNumber)
  const reference = `ORD-${number}`
  const { accountId, date, currency, total: amount, tax, lines } = order
  const paid = { amount, balance: 0, status: 'paid' as const, orderReference: reference, providerId }
  const [invoice] = await tx
    .insert(invoices)
    .values({ accountId, number: `INV-${number}`, date, currency, tax, lines, ...paid })
    .returning()
  await tx.insert(orders).values({ ...order, reference, invoiceId: invoice!.id })
  return invoice!
}
