import type Stripe from 'stripe'
import { writeDevices } from '#db/device-changes.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import { isMissing, isRunning, stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { countRenewed, findNotice, hasNewerChange, markChanged, type PriceChangeRow } from './price-changes.store.ts'

/**
 * Makes a subscription at Stripe renew at a new price, without billing the period in progress. It reads the subscription first and changes
 * only what differs, so it can run again after it was interrupted. `attempt` distinguishes repeats after a failure: Stripe would answer the
 * same key with the same failure for a day.
 */
export async function changeRenewal(
  { db, clock, payments: { stripe } }: Pick<World, 'db' | 'clock' | 'payments'>,
  id: number,
  attempt: number,
) {
  const found = await findNotice(db.read, id)
  if (!found || found.notice.changedAt) return
  const { notice, change } = found
  const { providerId } = notice
  if (change.cancelledAt || (await hasNewerChange(db.read, change))) return
  if ((await countRenewed(db.read, providerId, change.priceId)) === 0) return
  const subscription = await findSubscription(stripe, providerId)
  if (!subscription || !isRunning(subscription.status)) return
  const items = subscription.items.data.filter(({ price }) => isToChange(price, change))
  if (items.length > 0) {
    const idempotencyKey = `reprice ${id} ${providerId} ${attempt}`
    const changed = items.map((item) => ({ id: item.id, price_data: buildPriceData(item.price, change.unitAmount) }))
    await stripe.subscriptions.update(providerId, { items: changed, proration_behavior: 'none' }, { idempotencyKey })
  }
  await writeDevices(db, [`account:${notice.accountId}`], (tx) => markChanged(tx, notice, change, clock.now()))
}

const isToChange = ({ product, unit_amount }: Stripe.Price, { priceId, unitAmount }: PriceChangeRow) =>
  parseProductId(stripeId(product) ?? '') === priceId && unit_amount !== unitAmount

const buildPriceData = ({ currency, product, recurring, tax_behavior }: Stripe.Price, unit_amount: number) => ({
  currency,
  product: stripeId(product)!,
  unit_amount,
  recurring: { interval: recurring!.interval, interval_count: recurring!.interval_count },
  ...(tax_behavior !== null && { tax_behavior }),
})

async function findSubscription(stripe: Stripe, id: string) {
  try {
    return await stripe.subscriptions.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
