import { and, asc, desc, eq, gt, inArray, isNotNull, max, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts, tokens, users } from '#db/schema/accounts.ts'
import { invoices, orders, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'
import { passkeys, totpSecrets } from '#db/schema/factors.ts'
import { alertFirings } from '#db/schema/places.ts'
import { securityLog } from '#db/schema/security.ts'
import { theftReports } from '#db/schema/sharing.ts'
import { idleSince } from '#db/scope.ts'

export type PersonRow = typeof users.$inferSelect

export async function findAccount(db: DbReader, accountId: number) {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId))
  return account
}

/** The users of an account, its owner first. */
export const listPeople = (db: DbReader, accountId: number): Promise<PersonRow[]> =>
  db.select().from(users).where(eq(users.accountId, accountId)).orderBy(sql`${users.role} = 'pro'`, asc(users.id))

/** Sessions of users that have not expired, most recently used first; without the hash of their token and the network. */
export const listSessionsOf = (db: DbReader, userIds: number[], now: Date) =>
  db
    .select({ userId: tokens.userId, createdAt: tokens.createdAt, lastSeenAt: tokens.lastSeenAt, agent: tokens.agent })
    .from(tokens)
    .where(and(inArray(tokens.userId, userIds), gt(tokens.expiresAt, now), gt(tokens.lastSeenAt, idleSince(now))))
    .orderBy(desc(tokens.lastSeenAt), tokens.hash)

/** Those of the users who have a second factor. */
export async function listUsersWithFactor(db: DbReader, userIds: number[]) {
  const apps = await db
    .select({ userId: totpSecrets.userId })
    .from(totpSecrets)
    .where(and(inArray(totpSecrets.userId, userIds), isNotNull(totpSecrets.confirmedAt)))
  const keys = await db.selectDistinct({ userId: passkeys.userId }).from(passkeys).where(inArray(passkeys.userId, userIds))
  return new Set([...apps, ...keys].map(({ userId }) => userId))
}

/** The trackers of an account, each with its item of stock, in the order in which they were added. */
export const listTrackers = (db: DbReader, accountId: number, limit: number) =>
  db
    .select({ device: devices, stock: stockItems, monthsUsedAt: includedMonthsUsed.at })
    .from(devices)
    .leftJoin(stockItems, eq(stockItems.identifier, devices.identifier))
    .leftJoin(includedMonthsUsed, eq(includedMonthsUsed.key, devices.identifier))
    .where(eq(devices.accountId, accountId))
    .orderBy(asc(devices.id))
    .limit(limit)
export type TrackerRow = Awaited<ReturnType<typeof listTrackers>>[number]

/** The newest subscription of each tracker, with its price. */
export async function listPlans(db: DbReader, deviceIds: number[]) {
  const newest = db
    .select({ id: max(subscriptions.id) })
    .from(subscriptions)
    .where(inArray(subscriptions.deviceId, deviceIds))
    .groupBy(subscriptions.deviceId)
  const rows = await db
    .select({ subscription: subscriptions, price: prices.name })
    .from(subscriptions)
    .leftJoin(prices, eq(prices.id, subscriptions.priceId))
    .where(inArray(subscriptions.id, newest))
  return new Map(rows.map((row) => [row.subscription.deviceId, row]))
}

/** Those of the trackers that are reported stolen. */
export async function listStolen(db: DbReader, deviceIds: number[]) {
  const rows = await db
    .select({ deviceId: theftReports.deviceId })
    .from(theftReports)
    .where(and(inArray(theftReports.deviceId, deviceIds), eq(theftReports.status, 'open')))
  return new Set(rows.map(({ deviceId }) => deviceId))
}

/** Newest first. */
export const listOrdersOf = (db: DbReader, accountId: number, limit: number) =>
  db.select().from(orders).where(eq(orders.accountId, accountId)).orderBy(desc(orders.date), desc(orders.reference)).limit(limit)
export type OrderRow = Awaited<ReturnType<typeof listOrdersOf>>[number]

/** Newest first. */
export const listInvoicesOf = (db: DbReader, accountId: number, limit: number) =>
  db.select().from(invoices).where(eq(invoices.accountId, accountId)).orderBy(desc(invoices.date), desc(invoices.id)).limit(limit)
export type InvoiceRow = Awaited<ReturnType<typeof listInvoicesOf>>[number]

/** Alerts that fired, newest first, each with the present name of its tracker. */
export const listFiringsOf = (db: DbReader, accountId: number, limit: number) =>
  db
    .select({ firing: alertFirings, deviceName: devices.name })
    .from(alertFirings)
    .innerJoin(devices, eq(devices.id, alertFirings.deviceId))
    .where(eq(alertFirings.accountId, accountId))
    .orderBy(desc(alertFirings.at), desc(alertFirings.id))
    .limit(limit)
export type FiringRow = Awaited<ReturnType<typeof listFiringsOf>>[number]

export async function countOf(db: DbReader, accountId: number) {
  return {
    trackers: await db.$count(devices, eq(devices.accountId, accountId)),
    orders: await db.$count(orders, eq(orders.accountId, accountId)),
    invoices: await db.$count(invoices, eq(invoices.accountId, accountId)),
    alerts: await db.$count(alertFirings, eq(alertFirings.accountId, accountId)),
  }
}

/** What the account has paid less what was refunded, by currency. */
export const sumPaid = (db: DbReader, accountId: number) =>
  db
    .select({
      amount: sql<number>`sum(${invoices.amount} - ${invoices.balance} - ${invoices.refunded})`.mapWith(Number),
      currency: invoices.currency,
    })
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), or(eq(invoices.status, 'paid'), gt(invoices.refunded, 0))))
    .groupBy(invoices.currency)
    .orderBy(asc(invoices.currency))

type Reading = { accountId: number; who: string; since: Date }

/** Whether the log of the account says that this member of staff has read its data since then. */
export async function hasReadSince(db: DbReader, { accountId, who, since }: Reading) {
  const isSame = and(
    eq(securityLog.accountId, accountId),
    eq(securityLog.kind, 'data_read'),
    eq(securityLog.who, who),
    gt(securityLog.at, since),
  )
  return (await db.select({ id: securityLog.id }).from(securityLog).where(isSame).limit(1)).length > 0
}

/** Deletes all sessions of an account. */
export const deleteSessionsOf = (tx: Tx, userIds: number[]) =>
  tx.delete(tokens).where(inArray(tokens.userId, userIds)).returning({ hash: tokens.hash, userId: tokens.userId })

/** Makes an account one of a team, with its owner as the administrator. */
export async function makeTeam(tx: Tx, accountId: number, ownerId: number) {
  await tx.update(accounts).set({ isPro: true }).where(eq(accounts.id, accountId))
  await tx.update(users).set({ role: 'admin' }).where(eq(users.id, ownerId))
}

/** A tracker of the account. */
export async function findTrackerOf(db: DbReader, accountId: number, deviceId: number) {
  const [device] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, deviceId), eq(devices.accountId, accountId)))
  return device
}
