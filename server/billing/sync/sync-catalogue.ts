import type Stripe from 'stripe'
import type { prices } from '#db/schema/commerce.ts'
import { stripeProductId } from '#server/billing/records/catalogue.ts'
import { isMissing } from '#server/ports/payments.ts'

type PriceRow = typeof prices.$inferSelect

/**
 * Makes the Stripe catalogue match the price table: one product per price, found by its id, and its price, found by its lookup key. A
 * changed amount becomes a new price. Returns the changes made, empty when everything matched.
 */
export async function syncCatalogue(stripe: Stripe, rows: readonly PriceRow[]): Promise<string[]> {
  const done: string[] = []
  for (const row of rows) {
    const work = [...(await ensureProduct(stripe, row)), ...(await ensurePrice(stripe, row))]
    done.push(...work.map((one) => `${row.id}: ${one}`))
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
    return ['product made']
  }
  if (known.name === name && known.active === active) return []
  await stripe.products.update(id, { name, active, metadata })
  return ['product changed']
}

async function ensurePrice(stripe: Stripe, row: PriceRow) {
  const { data } = await stripe.prices.list({ lookup_keys: [row.id], limit: 1 })
  const [known] = data
  if (known && isSame(known, row)) {
    if (known.active === row.isOffered) return []
    await stripe.prices.update(known.id, { active: row.isOffered })
    return [row.isOffered ? 'price put on sale' : 'price taken off sale']
  }
  const { id } = await stripe.prices.create({
    product: stripeProductId(row.id),
    currency: row.currency,
    unit_amount: row.unitAmount,
    tax_behavior: row.taxBehavior,
    ...(row.interval && { recurring: { interval: row.interval, interval_count: row.intervalCount ?? 1 } }),
    lookup_key: row.id,
    transfer_lookup_key: true,
  })
  if (known) await stripe.prices.update(known.id, { active: false })
  if (!row.isOffered) await stripe.prices.update(id, { active: false })
  return [known ? 'price replaced' : 'price made']
}

const isSame = ({ unit_amount, currency, tax_behavior, recurring }: Stripe.Price, row: PriceRow) =>
  unit_amount === row.unitAmount &&
  currency === row.currency &&
  tax_behavior === row.taxBehavior &&
  (recurring?.interval ?? null) === row.interval &&
  (recurring?.interval_count ?? null) === row.intervalCount

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
