import { and, eq, gte, inArray, isNotNull, lt, min, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import type { PriceRow } from '#server/billing/records/subscriptions.store.ts'
import { RUNNING } from '#server/ports/payments.ts'

const renewsAt = ({ id }: Pick<PriceRow, 'id'>) =>
  and(
    eq(subscriptions.priceId, id),
    isNotNull(subscriptions.providerId),
    eq(subscriptions.isRecurring, true),
    inArray(subscriptions.status, RUNNING),
  )

/** What the renewals of a price cost now: how many there are, of how many owners, their sum, and the lowest and highest amount. */
export async function countRenewals(db: DbReader, price: PriceRow, unitAmount: number) {
  const cost = sql`coalesce(${subscriptions.renewalAmount}, ${price.unitAmount})`
  const isOther = sql`${cost} <> ${unitAmount}`
  const [row] = await db
    .select({
      renewing: sql<number>`count(*)`.mapWith(Number),
      changed: sql<number>`count(case when ${isOther} then 1 end)`.mapWith(Number),
      owners: sql<number>`count(distinct case when ${isOther} then ${devices.accountId} end)`.mapWith(Number),
      sum: sql<number>`coalesce(sum(${cost}), 0)`.mapWith(Number),
      lowest: sql<number | null>`min(${cost})`,
    })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(renewsAt(price))
  return row!
}

/** The earliest renewal of a price in a span; null without one. */
export async function findRenewalBetween(db: DbReader, price: PriceRow, from: Date | null, before: Date | null) {
  const [row] = await db
    .select({ at: min(subscriptions.renewsAt) })
    .from(subscriptions)
    .where(
      and(renewsAt(price), from ? gte(subscriptions.renewsAt, from) : undefined, before ? lt(subscriptions.renewsAt, before) : undefined),
    )
  return row?.at ?? null
}
