import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { CARE_PLAN, type CareStatus, REPLACEMENT_DISCOUNT_PERCENT } from '#contracts/billing/care-claims.ts'
import { roundCharge } from '#contracts/rules/price.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { orders, prices } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { careClaims } from '#db/schema/returns.ts'
import { devicesOf, type Viewer } from '#db/scope.ts'
import { holdAmounts } from './prices.store.ts'
import { type CheckoutRow, findSubscription, type PriceRow } from './subscriptions.store.ts'

export type ClaimRow = typeof careClaims.$inferSelect

/** The newest claim, in any state. */
export async function findNewestClaim(db: DbReader, deviceId: number): Promise<ClaimRow | undefined> {
  const ofDevice = eq(careClaims.deviceId, deviceId)
  const [claim] = await db.select().from(careClaims).where(ofDevice).orderBy(desc(careClaims.id)).limit(1)
  return claim
}

/** The open claim, or one with an ordered replacement: a tracker that has one cannot have another. */
export async function findBindingClaim(db: DbReader, deviceId: number): Promise<ClaimRow | undefined> {
  const isBinding = and(eq(careClaims.deviceId, deviceId), inArray(careClaims.status, ['open', 'ordered']))
  const [claim] = await db.select().from(careClaims).where(isBinding).orderBy(desc(careClaims.id)).limit(1)
  return claim
}

export type ListedClaim = { claim: ClaimRow; tracker: string; owner: string | null }

/** Claims of the trackers in scope: first paid ones that may have to be shipped, then open ones, newest first. */
export const listClaims = (db: DbReader, viewer: Viewer, status?: CareStatus): Promise<ListedClaim[]> =>
  db
    .select({
      claim: careClaims,
      tracker: devices.name,
      owner: sql<
        string | null
      >`(select ${users.email} from ${users} where ${users.accountId} = ${devices.accountId} and ${users.role} <> 'pro' limit 1)`,
    })
    .from(careClaims)
    .innerJoin(devices, eq(devices.id, careClaims.deviceId))
    .where(and(devicesOf(db, viewer), status && eq(careClaims.status, status)))
    .orderBy(sql`case ${careClaims.status} when 'ordered' then 0 when 'open' then 1 else 2 end`, desc(careClaims.id))

export async function insertClaim(tx: Tx, claim: Omit<ClaimRow, 'id'>): Promise<ClaimRow> {
  const [added] = await tx.insert(careClaims).values(claim).returning()
  return added!
}

export async function updateClaim(tx: Tx, id: number, change: Partial<Omit<ClaimRow, 'id'>>): Promise<ClaimRow> {
  const [changed] = await tx.update(careClaims).set(change).where(eq(careClaims.id, id)).returning()
  return changed!
}

/**
 * Closes the claim whose replacement was paid. A claim withdrawn at the same moment is closed too, because its order exists. The order gets the
 * address of the checkout, because the claim is deleted with its tracker, which may happen before the payment.
 */
export async function markClaimOrdered(tx: Tx, { sessionId, items }: CheckoutRow, orderReference: string | null, now: Date) {
  const [closed] = await tx
    .update(careClaims)
    .set({ status: 'ordered', orderReference, closedAt: now })
    .where(eq(careClaims.checkoutId, sessionId))
    .returning()
  const delivery = closed?.delivery ?? items.find((item) => item.delivery)?.delivery
  await setDelivery(tx, orderReference, delivery ?? null)
}

/** Copies the address of a claim to its order: a claim is deleted with its tracker, and the parcel may not have been sent by then. */
export async function setDelivery(tx: Tx, reference: string | null, delivery: string | null) {
  if (reference !== null && delivery !== null) await tx.update(orders).set({ delivery }).where(eq(orders.reference, reference))
}

/** Closes the open claim of a tracker whose replacement was paid; false without one. For a checkout that the claim does not refer to. */
export async function markOpenClaimOrdered(tx: Tx, deviceId: number, checkoutId: string, orderReference: string | null, now: Date) {
  const claim = await findBindingClaim(tx, deviceId)
  if (claim?.status !== 'open') return claim?.checkoutId === checkoutId
  await updateClaim(tx, claim.id, { status: 'ordered', checkoutId, orderReference, closedAt: now })
  await setDelivery(tx, orderReference, claim.delivery)
  return true
}

/** The price of the care plan of a tracker; it stays valid after the subscription has ended. */
export async function findCarePlan(db: DbReader, deviceId: number): Promise<PriceRow | undefined> {
  const options = (await findSubscription(db, deviceId))?.options ?? []
  const isCare = and(inArray(prices.id, options), eq(prices.type, 'option'), eq(prices.name, CARE_PLAN))
  const [plan] = await db.select().from(prices).where(isCare).orderBy(asc(prices.id)).limit(1)
  return plan
}

/** The undiscounted price of a new tracker in a currency. */
export async function findTrackerPrice(db: DbReader, currency: string, now: Date): Promise<PriceRow | undefined> {
  const isSold = and(eq(prices.type, 'tracker'), eq(prices.currency, currency), eq(prices.isOffered, true))
  const sold = await db.select().from(prices).where(isSold).orderBy(asc(prices.id)).limit(1)
  return (await holdAmounts(db, sold, now))[0]
}

/** The same price with the discount of the care plan. */
export const discountPrice = (price: PriceRow): PriceRow => ({
  ...price,
  unitAmount: roundCharge((price.unitAmount * (100 - REPLACEMENT_DISCOUNT_PERCENT)) / 100, price.currency),
})
