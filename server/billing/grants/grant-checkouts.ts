import type Stripe from 'stripe'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import type { CheckoutItem } from '#db/schema/commerce.ts'
import { markClaimOrdered } from '#server/billing/records/care-claims.store.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { parseDelivery } from '#server/billing/records/purchase-metadata.ts'
import type { PartlyGranted } from '#server/billing/records/stripe-state.ts'
import { type CheckoutRow, claimCheckout, findDevice, findPricesById, type PriceRow } from '#server/billing/records/subscriptions.store.ts'
import { stripeId } from '#server/ports/payments.ts'
import { addOrder, paymentDate } from './add-order.ts'
import { grantItem, type PurchasedItem, type PurchaseTerms, sortPrices } from './grant-items.ts'
import { type Granting, grantLost } from './grant-lost.ts'
import { claimLostSession, isRecovered } from './lost-purchases.store.ts'

/**
 * Grants the account's paid checkouts, each once: subscriptions, options, an order and its invoice. Those without a row of ours are granted
 * from their metadata, after `applyUntil` has applied earlier renewals. If the subscription was already granted from its own metadata,
 * because Stripe listed it first, the checkout grants nothing more. Returns the checkouts that could be granted only in part.
 */
export async function grantCheckouts(tx: Tx, { accountId, state, now, applyUntil }: Granting): Promise<PartlyGranted[]> {
  const partly: PartlyGranted[] = []
  for (const session of state.sessions) {
    if (session.status !== 'complete' || session.payment_status === 'unpaid') continue
    const invoice = state.invoices.find(({ id }) => id === stripeId(session.invoice))
    const sale = { ...readTotal(session), accountId, invoice, invoiceId: stripeId(session.invoice) }
    const terms: PurchaseTerms = {
      tax: session.total_details?.amount_tax || null,
      paidAt: paymentDate(invoice) ?? now,
      providerId: stripeId(session.subscription),
      now,
    }
    const checkout = await claimCheckout(tx, { sessionId: session.id, accountId }, now)
    if (terms.providerId && (await isRecovered(tx, terms.providerId))) continue
    if (checkout) {
      const bought = await loadPurchasedItems(tx, checkout, now)
      await grantCheckout(tx, bought, terms, now)
      await markClaimOrdered(tx, checkout, await addOrder(tx, bought, sale, terms), now)
      continue
    }
    const lost = await claimLostSession(tx, accountId, session, now)
    const reason =
      lost &&
      (await grantLost(tx, lost, {
        purchase: session.id,
        delivery: parseDelivery(session.metadata),
        ...{ sale, terms, state, now, applyUntil },
      }))
    if (reason) partly.push({ id: session.id, reason })
  }
  return partly
}

const readTotal = ({ amount_total, currency }: Stripe.Checkout.Session) => ({ total: amount_total ?? 0, currency: currency ?? 'eur' })

async function grantCheckout(tx: Tx, bought: readonly PurchasedItem[], terms: PurchaseTerms, now: Date) {
  for (const item of bought) {
    if (!item.device) continue
    await grantItem(tx, item.device, item, terms)
    touch(tx, item.device)
  }
  const isToRenewLess = bought.some(({ device, plan }) => !device && plan?.interval)
  if (terms.providerId && isToRenewLess) await queueTasks(tx, [{ kind: 'trim', ref: terms.providerId }], now)
}

async function loadPurchasedItems(tx: Tx, { items, accountId }: CheckoutRow, now: Date): Promise<PurchasedItem[]> {
  const prices = await findPricesById(tx, [...new Set(items.map((item) => item.price))], now)
  const bought: PurchasedItem[] = []
  for (const id of new Set(items.map((item) => item.device))) {
    const device = await findDevice(tx, id)
    const own = items.filter((item) => item.device === id).flatMap((item) => priceOf(item, prices.get(item.price)))
    bought.push(sortPrices(device?.accountId === accountId ? device : undefined, own))
  }
  return bought
}

/** The price with the amount that held when the checkout was opened. */
const priceOf = ({ amount }: CheckoutItem, price: PriceRow | undefined) =>
  price ? [{ ...price, unitAmount: amount ?? price.unitAmount }] : []
