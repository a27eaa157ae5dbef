import { getPayer } from '#server/billing/records/subscriptions.store.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { Failure } from '#server/lib/errors.ts'
import { isRefusal } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Sets whether a subscription ends with the paid period, then stores the state that Stripe returns. */
export async function setCancelAtPeriodEnd(context: ViewerContext, providerId: string, cancel_at_period_end: boolean) {
  const { db, viewer, payments } = context
  const { customer } = await getPayer(db.read, viewer)
  if (!customer) throw new Failure('not_found')
  try {
    await payments.stripe.subscriptions.update(providerId, { cancel_at_period_end })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await syncCustomer(context, customer)
    throw new Failure('not_found', {}, { cause: error })
  }
  await syncCustomer(context, customer)
}
