import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { paymentEffects, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { invoicesOf } from '#server/billing/records/invoices.store.ts'
import type { SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'

/** A tracker whose plan was taken away has an ended subscription. */
export const endSubscription = (tx: Tx, deviceId: number, now: Date) =>
  tx.update(devices).set({ subState: 'ended', subEndDate: now }).where(eq(devices.id, deviceId))

/** A collar counts as worn from its first subscription on. */
export const markCollarWorn = (tx: Tx, { id, activeCollarSince }: DeviceRow, now: Date) =>
  tx
    .update(devices)
    .set({ activeCollarSince: activeCollarSince ?? now })
    .where(eq(devices.id, id))

type NewHome = { deviceId: number; accountId: number; endsAt: Date | null; now: Date }

/**
 * Makes a subscription with its renewal the newest one of another tracker; the row of the former tracker stays as a past one. A new row is
 * needed, because the newest row of a tracker is the valid one. Payments that the former row was extended for count as applied.
 */
export async function moveSubscription(tx: Tx, held: SubscriptionRow, { deviceId, accountId, endsAt, now }: NewHome) {
  const { id, ...values } = held
  const [moved] = await tx
    .insert(subscriptions)
    .values({ ...values, deviceId, endsAt })
    .returning({ id: subscriptions.id })
  const past = { isRecurring: false, renewsAt: null, providerId: null, status: null, heldUntil: null, options: [], endsAt: now }
  await tx.update(subscriptions).set(past).where(eq(subscriptions.id, id))
  await copyEffects(tx, accountId, id, moved!.id)
}

async function copyEffects(tx: Tx, accountId: number, from: number, to: number) {
  const invoiceIds = (await invoicesOf(tx, accountId)).map(({ providerId }) => providerId)
  const keyOf = (invoice: string | null, subscription: number) => `renewal ${invoice} ${subscription}`
  const done = await tx
    .select()
    .from(paymentEffects)
    .where(
      inArray(
        paymentEffects.key,
        invoiceIds.map((invoice) => keyOf(invoice, from)),
      ),
    )
  const copies = done.map(({ key, at }) => ({ key: keyOf(key.split(' ')[1] ?? '', to), at }))
  if (copies.length > 0) await tx.insert(paymentEffects).values(copies).onConflictDoNothing()
}
