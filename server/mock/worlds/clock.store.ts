import { and, asc, eq, gt } from 'drizzle-orm'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** Finds the first subscription that renews after an instant. */
export async function findNextRenewal(db: Reader, after: Date) {
  const [first] = await db
    .select({ id: subscriptions.id, at: subscriptions.renewsAt })
    .from(subscriptions)
    .where(and(eq(subscriptions.isRecurring, true), gt(subscriptions.renewsAt, after)))
    .orderBy(asc(subscriptions.renewsAt), asc(subscriptions.id))
    .limit(1)
  return first?.at ? { at: first.at, ref: `subscriptions/${first.id}` } : null
}

export async function findDeviceId(db: Reader, identifier: string) {
  const [device] = await db.select({ id: devices.id }).from(devices).where(eq(devices.identifier, identifier))
  return device?.id
}
