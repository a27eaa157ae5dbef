import { eq } from 'drizzle-orm'
import { subscriptions } from '#db/schema/commerce.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** What the provider calls a subscription of ours. */
export async function providerIdOf(db: Reader, id: number) {
  const [row] = await db.select({ providerId: subscriptions.providerId }).from(subscriptions).where(eq(subscriptions.id, id))
  return row?.providerId ?? undefined
}
