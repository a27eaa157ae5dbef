import { asc, eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import { REPLACEMENT_DISCOUNT_PERCENT } from '#contracts/billing/care-claims.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { checkouts, paymentEffects, paymentTasks, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import { type DescribedItem, hashHardware, parseItems } from '#server/billing/records/purchase-metadata.ts'
import { findPricesById, type PriceRow } from '#server/billing/records/subscriptions.store.ts'
import { stripeId } from '#server/ports/payments.ts'

/** Converts the price that a care plan pays in part back to the full one. */
const UNDISCOUNTED = 100 / (100 - REPLACEMENT_DISCOUNT_PERCENT)

/** The items of a purchase for one tracker; `device` is undefined when the account does not have it. */
export type LostItem = { device: DeviceRow | undefined; prices: PriceRow[]; isNew: boolean }
export type LostPurchase = { isNew: boolean; items: LostItem[] }

type CustomerLists = { sessions: readonly Stripe.Checkout.Session[]; subscriptions: readonly Stripe.Subscription[] }

export type Sale = Pick<Stripe.Price, 'currency' | 'unit_amount' | 'tax_behavior' | 'recurring'> & { product: string; name: string }

/**
 * Claims a paid purchase without a row in the database, from its metadata. The purchase and each of its trackers are claimed once; a
 * tracker that the account does not have yet is claimed by a later call. Null when the purchase was granted in the ordinary way, or when
 * its metadata does not say what was bought.
 */
export async function claimLostSession(
  tx: Tx,
  accountId: number,
  session: Stripe.Checkout.Session,
  now: Date,
): Promise<LostPurchase | null> {
  const described = parseItems(session.metadata)
  if (described.length === 0) return null
  const row = {
    sessionId: session.id,
    accountId,
    items: described.map(({ device, price }) => ({ device, price })),
    openedAt: new Date(session.created * 1000),
    grantedAt: now,
  }
  const isNew = (await tx.insert(checkouts).values(row).onConflictDoNothing().returning()).length === 1
  if (isNew) await claimEffect(tx, `recovered ${session.id}`, now)
  else if (!(await isRecovered(tx, session.id))) return null
  return { isNew, items: await claimItems(tx, accountId, session.id, described, now) }
}

/** Whether a subscription renews a tracker, was granted completely from its metadata, or is about to be ended. */
export async function isSubscriptionKnown(tx: Tx, id: string) {
  const counts = [
    await tx.$count(paymentTasks, eq(paymentTasks.ref, id)),
    (await isRecovered(tx, id)) ? 0 : await tx.$count(subscriptions, eq(subscriptions.providerId, id)),
  ]
  return counts.some((count) => count > 0)
}

/** Claims a running subscription that has no checkout session. */
export async function claimLostSubscription(
  tx: Tx,
  accountId: number,
  { id, metadata }: Stripe.Subscription,
  now: Date,
): Promise<LostPurchase> {
  const described = parseItems(metadata)
  const isNew = await claimEffect(tx, `recovered ${id}`, now)
  return { isNew, items: await claimItems(tx, accountId, id, described, now) }
}

async function claimItems(
  tx: Tx,
  accountId: number,
  purchase: string,
  described: readonly DescribedItem[],
  now: Date,
): Promise<LostItem[]> {
  const known = await findPricesById(tx, [...new Set(described.map(({ price }) => price))], now)
  const items: LostItem[] = []
  for (const id of new Set(described.map(({ device }) => device))) {
    const own = described.filter(({ device }) => device === id)
    const device = await findTracker(tx, accountId, own[0]!)
    const isNew = device !== undefined && (await claimEffect(tx, `recovered ${purchase} ${id}`, now))
    items.push({ device, isNew, prices: own.flatMap(({ price }) => known.get(price) ?? []) })
  }
  return items
}

/** The tracker of the account with the same row or the same hardware. */
async function findTracker(tx: Tx, accountId: number, { device: id, addedAt, hardware }: DescribedItem): Promise<DeviceRow | undefined> {
  const rows = await tx.select().from(devices).where(eq(devices.accountId, accountId)).orderBy(asc(devices.id))
  return (
    rows.find((row) => row.id === id && row.createdAt.getTime() === addedAt) ??
    (hardware === null ? undefined : rows.find((row) => hashHardware(row) === hardware))
  )
}

/** Whether a session or subscription was granted from its metadata. */
export async function isRecovered(tx: Tx, id: string) {
  return (await tx.$count(paymentEffects, eq(paymentEffects.key, `recovered ${id}`))) > 0
}

/** The paid sessions and subscriptions unknown to the database whose metadata says what was bought. */
export async function findLostPurchases(db: DbReader, state: Pick<CustomerLists, 'sessions' | 'subscriptions'>) {
  const sessions = state.sessions.filter(({ status, metadata }) => status === 'complete' && parseItems(metadata).length > 0)
  const renewing = state.subscriptions.filter(({ metadata }) => parseItems(metadata).length > 0)
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  const opened = await db
    .select({ id: checkouts.sessionId })
    .from(checkouts)
    .where(inArray(checkouts.sessionId, ids(sessions)))
  const held = await db
    .select({ id: subscriptions.providerId })
    .from(subscriptions)
    .where(inArray(subscriptions.providerId, ids(renewing)))
  return {
    sessions: sessions.filter(({ id }) => !opened.some((row) => row.id === id)),
    subscriptions: renewing.filter(({ id }) => !held.some((row) => row.id === id)),
  }
}

/** Adds the missing prices of a lost purchase, as retired ones. */
export async function addLostPrices(tx: Tx, described: readonly DescribedItem[], sales: readonly Sale[]) {
  for (const { price: id, type, months, extra } of described) {
    const sale = sales.find(({ product }) => parseProductId(product) === id)
    if (!sale) continue
    const row: PriceRow = {
      id,
      type,
      name: sale.name,
      currency: sale.currency,
      unitAmount: Math.round((sale.unit_amount ?? 0) * (type === 'tracker' ? UNDISCOUNTED : 1)),
      taxBehavior: sale.tax_behavior === 'exclusive' ? 'exclusive' : 'inclusive',
      interval: sale.recurring?.interval === 'year' ? 'year' : sale.recurring ? 'month' : null,
      intervalCount: sale.recurring?.interval_count ?? null,
      months,
      extra,
      isOffered: false,
    }
    await tx.insert(prices).values(row).onConflictDoNothing()
  }
}

/** The products sold by the lines of a session or the items of a subscription. */
export const listSales = (lines: readonly { price: Stripe.Price | null; description?: string | null }[]): Sale[] =>
  lines.flatMap(({ price, description }) =>
    price ? [{ ...price, product: stripeId(price.product) ?? '', name: description ?? stripeId(price.product) ?? price.id }] : [],
  )
