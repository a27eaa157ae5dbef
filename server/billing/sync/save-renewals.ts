import type Stripe from 'stripe'
import { continueMonths, isUnlimited, RENEWAL_GRACE_HOURS } from '#contracts/rules/subscription.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import {
  claimEffect,
  listProviderSubscriptions,
  type ProviderSubscription,
  setNewestEnd,
  updateSubscription,
} from '#server/billing/records/payments.store.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import type { CustomerState } from '#server/billing/records/stripe-state.ts'
import { activateDevice, findDevice, findSubscriptionBefore } from '#server/billing/records/subscriptions.store.ts'
import { isRunning, stripeId } from '#server/ports/payments.ts'

const GRACE_MS = RENEWAL_GRACE_HOURS * HOUR_MS
/** Stripe counts time in seconds. */
const SECOND_MS = 1000

type Told = Pick<CustomerState, 'subscriptions' | 'invoices'> & { elsewhere: ReadonlySet<string> }

/**
 * Stores the state of each renewing subscription and extends its tracker for every paid period. Subscriptions of another customer of the
 * account are unchanged.
 */
export async function saveRenewals(tx: Tx, accountId: number, { subscriptions, invoices, elsewhere }: Told, now: Date) {
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  for (const renewed of await listProviderSubscriptions(tx, accountId)) {
    if (elsewhere.has(renewed.subscription.providerId ?? '')) continue
    const at = byId.get(renewed.subscription.providerId ?? '')
    await saveTerms(tx, renewed, at)
    if (!at) continue
    const periods = invoices.flatMap((invoice) => findPeriods(renewed, invoice))
    for (const period of periods.toSorted((a, b) => a.paidAt - b.paidAt)) await extendTracker(tx, renewed, period, now)
    const charged = periods.find(({ isPaid }) => !isPaid)
    if (isRunning(at.status) && charged) await holdTracker(tx, renewed, charged, now)
  }
}

type RenewalPeriod = { invoice: string; isPaid: boolean; paidAt: number; start: number; end: number }

/** A subscription that Stripe no longer knows counts as cancelled. */
async function saveTerms(tx: Tx, { subscription, device }: ProviderSubscription, at: Stripe.Subscription | undefined) {
  const status = at?.status ?? 'canceled'
  const renews = isRunning(status) && !at?.cancel_at_period_end && !at?.cancel_at
  const own = at?.items.data.find(({ price }) => isPriceOfProduct(subscription.priceId, price.product))
  const item = own ?? at?.items.data[0]
  const renewsAt = renews && item ? new Date(item.current_period_end * SECOND_MS) : null
  await updateSubscription(tx, subscription.id, {
    ...{ status, isRecurring: renews, renewsAt },
    ...(own && { renewalAmount: own.price.unit_amount ?? subscription.renewalAmount }),
  })
  if (renews !== subscription.isRecurring) touch(tx, device)
}

/** The renewal period that an invoice is for; empty for other invoices, such as that of the checkout. */
function findPeriods({ subscription }: ProviderSubscription, invoice: Stripe.Invoice): RenewalPeriod[] {
  if (invoice.billing_reason !== 'subscription_cycle' || invoice.status === 'void') return []
  if (stripeId(invoice.parent?.subscription_details?.subscription) !== subscription.providerId) return []
  const line = invoice.lines.data.find(({ pricing }) => isPriceOfProduct(subscription.priceId, pricing?.price_details?.product))
  if (!line) return []
  const paidAt = (invoice.status_transitions.paid_at ?? invoice.created) * SECOND_MS
  return [
    {
      invoice: invoice.id,
      isPaid: invoice.status === 'paid',
      paidAt,
      start: line.period.start * SECOND_MS,
      end: line.period.end * SECOND_MS,
    },
  ]
}

/**
 * Like a purchase, a renewal counts from the current end, even when charging was slow; one paid late counts from the payment. It never ends
 * before Stripe charges again.
 */
async function extendTracker(tx: Tx, { subscription }: ProviderSubscription, { invoice, isPaid, paidAt, end }: RenewalPeriod, now: Date) {
  const device = await findDevice(tx, subscription.deviceId)
  if (!isPaid || !device || !(await claimEffect(tx, `renewal ${invoice} ${subscription.id}`, now))) return
  await updateSubscription(tx, subscription.id, { heldUntil: null })
  if (isUnlimited(device.subState, device.subEndDate)) return
  const paid = paidUntil(subscription, device.subEndDate)
  const from = paid && paidAt <= paid.getTime() + GRACE_MS ? paid : new Date(paidAt)
  const until = continueMonths(from, subscription.months, await findAnchor(tx, subscription))
  const endsAt = new Date(Math.max(until.getTime(), end))
  await activateDevice(tx, device.id, endsAt)
  await updateSubscription(tx, subscription.id, { endsAt })
  await setNewestEnd(tx, device.id, endsAt)
  Object.assign(subscription, { heldUntil: null, endsAt })
  touch(tx, device)
}

/** The instant from which the months of a subscription count: its purchase, or the end of the tracker's previous subscription. */
async function findAnchor(tx: Tx, subscription: ProviderSubscription['subscription']) {
  const endBefore = (await findSubscriptionBefore(tx, subscription))?.endsAt
  return endBefore && endBefore > subscription.startedAt ? endBefore : subscription.startedAt
}

/** Extends the tracker by up to a day while Stripe is charging, which takes an hour with a valid card. */
async function holdTracker(tx: Tx, { subscription }: ProviderSubscription, { start }: RenewalPeriod, now: Date) {
  const device = await findDevice(tx, subscription.deviceId)
  const end = device?.subEndDate?.getTime()
  if (!device || end === undefined || subscription.heldUntil || end !== subscription.endsAt?.getTime()) return
  const heldUntil = new Date(end + GRACE_MS)
  if (end > start + GRACE_MS || heldUntil <= now) return
  await activateDevice(tx, device.id, heldUntil)
  await updateSubscription(tx, subscription.id, { heldUntil, endsAt: heldUntil })
  touch(tx, device)
}

const paidUntil = ({ heldUntil }: ProviderSubscription['subscription'], end: Date | null) =>
  heldUntil && end?.getTime() === heldUntil.getTime() ? new Date(end.getTime() - GRACE_MS) : end

const isPriceOfProduct = (price: string | null, product: string | { id: string } | undefined) =>
  price !== null && product !== undefined && parseProductId(stripeId(product) ?? '') === price
