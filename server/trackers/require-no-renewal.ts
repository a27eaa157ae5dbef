import { subStateAt } from '#contracts/rules/subscription.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { Failure } from '#server/lib/errors.ts'

/** Throws `recurring_active`, because the card would be charged for a removed tracker. */
export async function requireNoRenewal(tx: Tx, device: DeviceRow, now: Date) {
  const isActive = subStateAt(device.subState, device.subEndDate, now) === 'active'
  if (isActive && (await findSubscription(tx, device.id))?.isRecurring) throw new Failure('recurring_active')
}
