import type Stripe from 'stripe'
import type { InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { chargesOf } from '#server/billing/recovery/unexplained.ts'
import { readCustomer } from '#server/billing/sync/customer-state.ts'
import { sha256 } from '#server/lib/secrets.ts'

/** `intent` distinguishes this refund from others of the same invoice and amount. */
type Refund = { customer: string; amount: number; intent: string }

/**
 * Pays an invoice back to the card that paid it. A repeat with the same intent pays nothing more. An invoice with several payments gives the
 * money back in their order. Returns the amount that could not be paid back.
 */
export async function payBack(stripe: Stripe, { providerId, number }: InvoiceRow, { customer, amount, intent }: Refund) {
  // The payment of an invoice may be newer than the list of charges.
  await stripe.invoices.retrieve(providerId!, { expand: ['payments'] })
  const charges = chargesOf(await readCustomer(stripe, customer), providerId!)
  let left = amount
  for (const charge of charges) {
    const part = Math.min(left, charge.amount_captured - charge.amount_refunded)
    if (part <= 0) continue
    const idempotencyKey = sha256(`refund ${intent} ${charge.id} ${part}`)
    await stripe.refunds.create({ charge: charge.id, amount: part, metadata: { invoice: number } }, { idempotencyKey })
    left -= part
  }
  return left
}
