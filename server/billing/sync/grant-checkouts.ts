import type Stripe from 'stripe'
import { computeEndDate, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Tx } from '#db/db.ts'
import type { ChangedDevice } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { discountPrice, markClaimOrdered } from '#server/billing/records/care-claims.store.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { lineLabel } from '#server/billing/records/subscriptions.present.ts'
import {
  activateDevice,
  addPaidOrder,
  addSubscription,
  type CheckoutRow,
  claimCheckout,
  findDevice,
  findPricesById,
  findSubscription,
  type PriceRow,
  setOptions,
  stopRenewals,
  withoutRenewal,
} from '#server/billing/records/subscriptions.store.ts'
import { stripeId } from '#server/ports/payments.ts'
import { mailReceipt } from './save-invoices.ts'

/** What all items of a checkout share. */
type PurchaseTerms = { tax: number | null; paidAt: Date; providerId: string | null; now: Date }
/** `device` is undefined when the tracker was deleted or moved to another account since. */
type PurchasedItem = { device: DeviceRow | undefined; plan: PriceRow | undefined; options: PriceRow[]; replacement: PriceRow | undefined }
type Told = { sessions: readonly Stripe.Checkout.Session[]; invoices: readonly Stripe.Invoice[] }
type Moment = { now: Date; touch: (device: ChangedDevice) => void }

/** Grants the account's paid checkouts, each once: subscriptions, options, an order and its invoice. */
export async function grantCheckouts(tx: Tx, accountId: number, { sessions, invoices }: Told, moment: Moment) {
  for (const session of sessions) {
    if (session.status !== 'complete' || session.payment_status === 'unpaid') continue
    const checkout = await claimCheckout(tx, { sessionId: session.id, accountId }, moment.now)
    if (!checkout) continue
    const invoice = invoices.find(({ id }) => id === stripeId(session.invoice))
    const paidAt = invoice?.status_transitions.paid_at
    await grantCheckout(tx, checkout, session, paidAt ? new Date(paidAt * 1000) : moment.now, moment)
  }
}

async function grantCheckout(tx: Tx, checkout: CheckoutRow, session: Stripe.Checkout.Session, paidAt: Date, { now, touch }: Moment) {
  const tax = session.total_details?.amount_tax || null
  const bought = await loadPurchasedItems(tx, checkout)
  const terms: PurchaseTerms = { tax, paidAt, providerId: stripeId(session.subscription), now }
  for (const { device, plan, options } of bought) {
    if (!device) continue
    if (plan) await grantPlan(tx, device, plan, options, terms)
    else if (options.length > 0) await grantOptions(tx, device, options, paidAt)
    touch(device)
  }
  const isToRenewLess = bought.some(({ device, plan }) => !device && plan?.interval)
  if (terms.providerId && isToRenewLess) await queueTasks(tx, [{ kind: 'trim', ref: terms.providerId }], now)
  const invoice = await addPaidOrder(tx, {
    accountId: checkout.accountId,
    date: paidAt,
    status: bought.some(({ replacement }) => replacement) ? 'in_progress' : 'delivered',
    total: session.amount_total ?? 0,
    tax,
    currency: session.currency ?? 'eur',
    lines: bought.flatMap(linesOf),
    providerId: stripeId(session.invoice),
  })
  await markClaimOrdered(tx, session.id, invoice.orderReference, now)
  await mailReceipt(
    tx,
    invoice,
    bought.flatMap(({ device }) => device ?? []),
    now,
  )
}

async function loadPurchasedItems(tx: Tx, { items, accountId }: CheckoutRow): Promise<PurchasedItem[]> {
  const prices = await findPricesById(tx, [...new Set(items.map((item) => item.price))])
  const bought: PurchasedItem[] = []
  for (const id of new Set(items.map((item) => item.device))) {
    const device = await findDevice(tx, id)
    const own = items.filter((item) => item.device === id).flatMap((item) => prices.get(item.price) ?? [])
    bought.push({
      device: device?.accountId === accountId ? device : undefined,
      plan: own.find((price) => price.type === 'plan'),
      options: own.filter((price) => price.type === 'option'),
      replacement: own.find((price) => price.type === 'tracker'),
    })
  }
  return bought
}

async function grantPlan(tx: Tx, device: DeviceRow, plan: PriceRow, options: PriceRow[], { tax, paidAt, providerId, now }: PurchaseTerms) {
  const { months, extra } = plan
  const end = computeEndDate(paidAt, device.subEndDate, months, extra)
  const endsAt = isUnlimited(device.subState, device.subEndDate) ? null : end
  await stopRenewals(tx, device.id, now)
  const kept = (await findSubscription(tx, device.id))?.options ?? []
  await activateDevice(tx, device.id, endsAt)
  await addSubscription(tx, {
    deviceId: device.id,
    priceId: plan.id,
    isRecurring: plan.interval !== null,
    tax,
    months,
    extra,
    renewsAt: plan.interval ? end : null,
    endsAt,
    options: withOptions(kept, options),
    startedAt: paidAt,
    providerId: plan.interval ? providerId : null,
    status: plan.interval ? 'active' : null,
    heldUntil: null,
  })
}

async function grantOptions(tx: Tx, device: DeviceRow, options: PriceRow[], startedAt: Date) {
  const known = await findSubscription(tx, device.id)
  if (known) return setOptions(tx, known.id, withOptions(known.options, options))
  const { subEndDate: endsAt } = device
  return addSubscription(tx, {
    ...withoutRenewal,
    deviceId: device.id,
    months: 0,
    extra: 0,
    endsAt,
    options: withOptions([], options),
    startedAt,
  })
}

const withOptions = (known: string[], options: PriceRow[]) => [...new Set([...known, ...options.map((price) => price.id)])]

const linesOf = ({ device, plan, options, replacement }: PurchasedItem) =>
  [...(plan ? [plan] : []), ...options, ...(replacement ? [discountPrice(replacement)] : [])].map((price) => ({
    label: lineLabel(price, device?.name),
    quantity: 1,
    unit_amount: price.unitAmount,
  }))
