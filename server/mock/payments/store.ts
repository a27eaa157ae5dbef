import { eq } from 'drizzle-orm'
import type { Reader } from '#db/open.ts'
import { subscriptions } from '#db/tables/commerce.ts'

/** What the provider calls a subscription of ours. */
export async function providerIdOf(db: Reader, id: number) {
  const [row] = await db.select({ providerId: subscriptions.providerId }).from(subscriptions).where(eq(subscriptions.id, id))
  return row?.providerId ?? undefined
}
