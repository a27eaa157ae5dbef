import type Stripe from 'stripe'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { isMissing, isRunning, stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { findPauseAtStripe, saveProviderEnd } from './plan-pauses.store.ts'

const SECOND_MS = 1000

/**
 * Pauses the collection of a renewal at Stripe or ends that, and moves its next charge by the paused time: a trial until then follows the
 * time that is paid. It reads the subscription first and states the wanted end, so it can run again after it was interrupted. `attempt`
 * distinguishes repeats after a failure: Stripe would answer the same key with the same failure for a day.
 */
export async function pauseAtStripe(
  { db, clock, payments: { stripe } }: Pick<World, 'db' | 'clock' | 'payments'>,
  providerId: string,
  attempt: number,
) {
  const pause = await findPauseAtStripe(db.read, providerId)
  const subscription = pause && (await retrieve(stripe, providerId))
  if (!subscription || !isRunning(subscription.status)) return
  const paidUntil = pause.providerEnd ?? (await endPaidPeriod(stripe, subscription, pause.startedAt))
  if (!paidUntil) return
  if (!pause.providerEnd) await db.write([], (tx) => saveProviderEnd(tx, pause, paidUntil))
  const now = clock.now().getTime()
  const isOn = pause.resumedAt === null && pause.until.getTime() > now
  const paused = (pause.resumedAt ?? pause.until).getTime() - pause.startedAt.getTime()
  const chargedAt = toSeconds(paidUntil.getTime() + paused)
  const movedTo = (subscription.trial_end ?? 0) * SECOND_MS
  const isMoved = subscription.trial_end === chargedAt || (movedTo >= paidUntil.getTime() && movedTo <= now)
  if (isMoved && isOn === (subscription.pause_collection !== null)) return
  const trial_end = Math.max(chargedAt, toSeconds(now + MINUTE_MS))
  const pause_collection = isOn ? ({ behavior: 'void', resumes_at: toSeconds(pause.until.getTime()) } as const) : ('' as const)
  await stripe.subscriptions.update(
    providerId,
    { pause_collection, ...(!isMoved && { proration_behavior: 'none', trial_end }) },
    { idempotencyKey: `pause ${pause.id} ${isOn} ${isMoved ? '' : trial_end} ${attempt}` },
  )
}

const toSeconds = (ms: number) => Math.ceil(ms / SECOND_MS)

/**
 * Until when the renewal was paid. A period that began after the plan was paused, because Stripe was not reached in time, is voided unless
 * it is paid.
 */
async function endPaidPeriod(stripe: Stripe, { items, latest_invoice }: Stripe.Subscription, startedAt: Date): Promise<Date | null> {
  const [item] = items.data
  if (!item) return null
  const start = new Date(item.current_period_start * SECOND_MS)
  const end = new Date(item.current_period_end * SECOND_MS)
  const newest = stripeId(latest_invoice)
  if (start <= startedAt || !newest) return end
  const invoice = await stripe.invoices.retrieve(newest)
  if (invoice.status === 'paid') return end
  if (invoice.status === 'draft') await stripe.invoices.finalizeInvoice(newest, { auto_advance: false })
  if (invoice.status === 'draft' || invoice.status === 'open') await stripe.invoices.voidInvoice(newest)
  return start
}

async function retrieve(stripe: Stripe, id: string) {
  try {
    return await stripe.subscriptions.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
