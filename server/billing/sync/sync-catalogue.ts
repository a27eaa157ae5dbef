import type Stripe from 'stripe'
import type { prices } from '#db/schema/commerce.ts'
import { stripeProductId } from '#server/billing/records/price-list.ts'
import { isMissing } from '#server/ports/payments.ts'

type PriceRow = typeof prices.$inferSelect

/**
 * Makes the Stripe catalogue match the price table: one product per price, found by its id. Amounts are not synced, because a checkout
 * names its own. Returns the changes made, empty when everything matched.
 */
export async function syncCatalogue(stripe: Stripe, rows: readonly PriceRow[]): Promise<string[]> {
  const done: string[] = []
  for (const row of rows) {
    const change = await ensureProduct(stripe, row)
    if (change) done.push(`${row.id}: ${change}`)
  }
  return [...done, ...(await ensureBillingPortal(stripe))]
}

async function ensureProduct(stripe: Stripe, { id: price, name, isOffered: active, months, extra }: PriceRow) {
  const id = stripeProductId(price)
  const metadata = { price, months: String(months), extra: String(extra) }
  const known = await findProduct(stripe, id)
  if (!known) {
    await stripe.products.create({ id, name, metadata })
    if (!active) await stripe.products.update(id, { active })
    return 'product made'
  }
  if (known.name === name && known.active === active) return null
  await stripe.products.update(id, { name, active, metadata })
  return 'product changed'
}

/** A new sandbox has no billing portal configuration. */
async function ensureBillingPortal(stripe: Stripe) {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, is_default: true, limit: 1 })
  if (data.length > 0) return []
  await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
  })
  return ['billing portal set up']
}

async function findProduct(stripe: Stripe, id: string) {
  try {
    return await stripe.products.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
