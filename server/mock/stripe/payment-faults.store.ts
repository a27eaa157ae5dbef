import { eq } from 'drizzle-orm'
import { subscriptions } from '#db/schema/commerce.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** The Stripe id of a subscription of the portal. */
export async function findStripeSubscriptionId(db: Reader, id: number) {
  const [row] = await db.select({ providerId: subscriptions.providerId }).from(subscriptions).where(eq(subscriptions.id, id))
  return row?.providerId ?? undefined
}
