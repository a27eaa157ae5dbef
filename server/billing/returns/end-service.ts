import type Stripe from 'stripe'
import { addMonths, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { listPlanMoves, type PlanMoveRow } from '#server/billing/moves/plan-moves.store.ts'
import { endPauseOf } from '#server/billing/pauses/plan-pauses.store.ts'
import { claimEffect, setNewestEnd } from '#server/billing/records/payments.store.ts'
import { parseProductId } from '#server/billing/records/price-list.ts'
import { type DescribedItem, parseItems } from '#server/billing/records/purchase-metadata.ts'
import type { CustomerState } from '#server/billing/records/stripe-state.ts'
import { activateDevice, findDevice, findSubscription, setOptions } from '#server/billing/records/subscriptions.store.ts'
import { stripeId } from '#server/ports/payments.ts'
import { stopProviderSubscription } from './returns.store.ts'
import { serviceEffect } from './service-effect.ts'

/** `returned`: the invoices that were paid back in full. */
type Taken = { accountId: number; invoice: Stripe.Invoice; state: CustomerState; returned: ReadonlySet<string>; now: Date }

/**
 * Takes back the months that an invoice paid for, once, and stops their renewal. A period that was followed by a paid one is over, so it
 * stays. Returns whether the service was taken back.
 */
export async function takeServiceBack(tx: Tx, { accountId, invoice, state, returned, now }: Taken) {
  const subscription = stripeId(invoice.parent?.subscription_details?.subscription)
  if (subscription !== null && isFollowed(invoice, subscription, state, returned)) return false
  if (!(await claimEffect(tx, serviceEffect(invoice.id), now))) return false
  if (subscription !== null) await stopProviderSubscription(tx, subscription, now)
  const isFirst = subscription === null || invoice.billing_reason === 'subscription_create'
  const moves = await listPlanMoves(tx, accountId)
  for (const item of findItems(invoice, subscription, state)) {
    const holder = followMoves(item.device, moves, invoice)
    const device = await findDevice(tx, holder)
    if (!device || device.accountId !== accountId) continue
    if (holder === item.device && device.createdAt.getTime() !== item.addedAt) continue
    if (item.type === 'option' && isFirst) await dropOption(tx, device, item.price)
    if (item.type === 'plan') await shorten(tx, device, item.months + (isFirst ? item.extra : 0), now)
    touch(tx, device)
  }
  return true
}

const isFollowed = ({ id, created }: Stripe.Invoice, subscription: string, { invoices }: CustomerState, returned: ReadonlySet<string>) =>
  invoices.some(
    (other) =>
      other.id !== id &&
      other.created > created &&
      other.status === 'paid' &&
      !returned.has(other.id) &&
      stripeId(other.parent?.subscription_details?.subscription) === subscription,
  )

/** The tracker to which the plan of a tracker has moved since an invoice. */
const followMoves = (device: number, moves: readonly PlanMoveRow[], { created }: Stripe.Invoice) =>
  moves
    .filter(({ movedAt }) => movedAt.getTime() >= created * 1000)
    .reduce((holder, { fromDeviceId, toDeviceId }) => (fromDeviceId === holder ? toDeviceId : holder), device)

/** The items of a purchase, or those that a renewal names. */
function findItems(invoice: Stripe.Invoice, subscription: string | null, { sessions, subscriptions }: CustomerState): DescribedItem[] {
  const session = sessions.find((each) => stripeId(each.invoice) === invoice.id)
  if (session) return parseItems(session.metadata)
  const items = parseItems(subscriptions.find(({ id }) => id === subscription)?.metadata ?? null)
  const products = invoice.lines.data.map(({ pricing }) => parseProductId(stripeId(pricing?.price_details?.product) ?? ''))
  return invoice.billing_reason === 'subscription_create' ? items : items.filter(({ price }) => products.includes(price))
}

async function dropOption(tx: Tx, device: DeviceRow, price: string) {
  const held = await findSubscription(tx, device.id)
  if (held)
    await setOptions(
      tx,
      held.id,
      held.options.filter((option) => option !== price),
    )
}

/** The service ends earlier by some months, but not in the past. */
async function shorten(tx: Tx, device: DeviceRow, months: number, now: Date) {
  if (!device.subEndDate || isUnlimited(device.subState, device.subEndDate) || device.subEndDate <= now) return
  const end = addMonths(device.subEndDate, -months)
  const until = end > now ? end : now
  await activateDevice(tx, device.id, until)
  await setNewestEnd(tx, device.id, until)
  if (until === now) await endPauseOf(tx, device.id, now)
}
