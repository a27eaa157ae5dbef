import type Stripe from 'stripe'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { markOpenClaimOrdered, setDelivery } from '#server/billing/records/care-claims.store.ts'
import { findOrderOfInvoice } from '#server/billing/records/invoices.store.ts'
import { claimEffect } from '#server/billing/records/payments.store.ts'
import { parseItems } from '#server/billing/records/purchase-metadata.ts'
import type { CustomerState, PartlyGranted } from '#server/billing/records/stripe-state.ts'
import { isPaidBack } from '#server/billing/recovery/unexplained.ts'
import { serviceEffect } from '#server/billing/returns/service-effect.ts'
import { isRunning, stripeId } from '#server/ports/payments.ts'
import { addOrder, paymentDate, type Sale, sumTaxes } from './add-order.ts'
import { grantLateItem, type PurchaseTerms, sortPrices } from './grant-items.ts'
import { claimLostSubscription, isRecovered, isSubscriptionKnown, type LostPurchase } from './lost-purchases.store.ts'

/** Applies the invoices that were paid until an instant. */
type ApplyUntil = (paidAt: Date) => Promise<void>

/** The input of a grant: the account, Stripe's data about it, and the function that applies earlier payments. */
export type Granting = { accountId: number; state: CustomerState; now: Date; applyUntil: ApplyUntil }

type Lost = Omit<Granting, 'accountId'> & {
  purchase: string
  sale: Sale
  terms: PurchaseTerms
  /** Where a replacement is sent, even if the database has lost its claim or tracker. */
  delivery?: string | null
}

/**
 * Grants the claimed items of a purchase that the database had lost. A refunded one gets only its order and invoice. Returns why a part of
 * it could not be granted.
 */
export async function grantLost(tx: Tx, { isNew, items }: LostPurchase, lost: Lost): Promise<PartlyGranted['reason'] | undefined> {
  const { purchase, sale, terms, delivery = null, now } = lost
  const bought = items.map(({ device, prices }) => sortPrices(device, prices))
  const isOwed = !isPaidBack(lost.state, sale.invoiceId)
  if (items.some((item) => item.isNew)) await lost.applyUntil(terms.paidAt)
  // What was never granted is not taken back either.
  if (!isOwed && isNew) await claimEffect(tx, serviceEffect(sale.invoiceId ?? purchase), now)
  for (const [index, { device, isNew: isClaimed }] of items.entries()) {
    if (!device || !isClaimed || !isOwed) continue
    await grantLateItem(tx, device, bought[index]!, terms)
    touch(tx, device)
  }
  const order = isNew ? await addOrder(tx, bought, sale, terms) : await findOrderOfInvoice(tx, sale.invoiceId)
  if (!isOwed) return undefined
  await setDelivery(tx, order, delivery)
  if (items.some(({ device }) => !device)) return 'tracker'
  for (const { device, replacement } of bought)
    if (device && replacement && !(await markOpenClaimOrdered(tx, device.id, purchase, order, now))) return 'claim'
  return undefined
}

/** Grants the running subscriptions that the database lost and that no checkout session explains. */
export async function grantLostSubscriptions(tx: Tx, { accountId, state, now, applyUntil }: Granting): Promise<PartlyGranted[]> {
  const partly: PartlyGranted[] = []
  for (const subscription of state.subscriptions) {
    const { id } = subscription
    const isFromCheckout = state.sessions.some((session) => stripeId(session.subscription) === id)
    if (
      (isFromCheckout && !(await isRecovered(tx, id))) ||
      !isRunning(subscription.status) ||
      parseItems(subscription.metadata).length === 0
    )
      continue
    if (await isSubscriptionKnown(tx, id)) continue
    const lost = await claimLostSubscription(tx, accountId, subscription, now)
    const invoice = state.invoices.find((one) => isFirstOf(one, id))
    const paidAt = paymentDate(invoice) ?? new Date(subscription.start_date * 1000)
    const sale: Sale = { accountId, total: invoice?.total ?? 0, currency: subscription.currency, invoice, invoiceId: invoice?.id ?? null }
    const terms: PurchaseTerms = { tax: sumTaxes(invoice), paidAt, providerId: id, now }
    const reason = await grantLost(tx, lost, { purchase: id, sale, terms, state, now, applyUntil })
    if (reason) partly.push({ id, reason })
  }
  return partly
}

const isFirstOf = ({ billing_reason, parent }: Stripe.Invoice, subscription: string) =>
  billing_reason === 'subscription_create' && stripeId(parent?.subscription_details?.subscription) === subscription
