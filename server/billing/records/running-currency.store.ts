import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { Failure } from '#server/lib/errors.ts'
import { RUNNING } from '#server/ports/payments.ts'
import type { PriceRow } from './subscriptions.store.ts'

/** The currencies in which subscriptions of an account are charged at Stripe. */
async function listRunningCurrencies(db: DbReader, accountId: number): Promise<string[]> {
  const isCharged = and(isNotNull(subscriptions.providerId), inArray(subscriptions.status, [...RUNNING]))
  const rows = await db
    .selectDistinct({ currency: prices.currency })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .where(and(eq(devices.accountId, accountId), isCharged))
    .orderBy(prices.currency)
  return rows.map(({ currency }) => currency)
}

/**
 * Throws `mixed_currency` with the currency of a running subscription when the purchases are in another one: Stripe charges a customer in
 * one currency only as long as a subscription runs.
 */
export async function requireCurrency(db: DbReader, accountId: number, purchases: readonly { price: Pick<PriceRow, 'currency'> }[]) {
  const running = await listRunningCurrencies(db, accountId)
  const isOther = purchases.some(({ price }) => !running.includes(price.currency))
  if (running[0] !== undefined && isOther) throw new Failure('mixed_currency', { currency: running[0] })
}
