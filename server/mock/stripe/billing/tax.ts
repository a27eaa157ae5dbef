import type Stripe from 'stripe'
import { findCustomer, type Provider } from '#server/mock/stripe/api/provider.ts'

export type TaxShare = { rate: Stripe.TaxRate; amount: number; taxable: number }
type Exemption = Stripe.Customer.TaxExempt | null

/** The unit of rates, a ten thousandth of a percent, in which they are whole numbers: Stripe accepts four decimals. */
const toUnits = (percentage: number) => Math.round(percentage * 10_000)
const WHOLE = 1_000_000

/** Rounds half a minor unit away from zero, so that a credit equals the amount it reverts. */
const roundHalfUp = (amount: number) => Math.sign(amount) * Math.round(Math.abs(amount))

/**
 * Computes the tax of each rate on the amount of one line, in minor units. Inclusive taxes are part of the amount; exclusive ones are
 * computed on the amount without them and added.
 */
export function computeTaxes(amount: number, rates: readonly Stripe.TaxRate[], exemption: Exemption = null): TaxShare[] {
  if (isExempt(exemption)) return rates.map((rate) => ({ rate, amount: 0, taxable: 0 }))
  const included = rates.filter(({ inclusive }) => inclusive).reduce((sum, { percentage }) => sum + toUnits(percentage), 0)
  const share = ({ inclusive, percentage }: Stripe.TaxRate) =>
    inclusive ? roundHalfUp((amount * toUnits(percentage)) / (WHOLE + included)) : 0
  const taxable = amount - rates.reduce((sum, rate) => sum + share(rate), 0)
  return rates.map((rate) => ({
    rate,
    amount: rate.inclusive ? share(rate) : roundHalfUp((taxable * toUnits(rate.percentage)) / WHOLE),
    taxable,
  }))
}

const isExempt = (exemption: Exemption) => exemption === 'exempt' || exemption === 'reverse'

export const findExemption = (provider: Provider, customer: string | null): Exemption =>
  customer === null ? null : (findCustomer(provider, customer)?.tax_exempt ?? null)

export const sumTaxes = (shares: readonly TaxShare[], isInclusive?: boolean) =>
  shares.reduce((sum, { rate, amount }) => (isInclusive === undefined || rate.inclusive === isInclusive ? sum + amount : sum), 0)

const REASONS: Record<string, Stripe.InvoiceLineItem.Tax['taxability_reason']> = { exempt: 'customer_exempt', reverse: 'reverse_charge' }

/** The taxes of an invoice's line in Stripe's form. */
export const buildLineTaxes = (amount: number, rates: readonly Stripe.TaxRate[], exemption: Exemption): Stripe.InvoiceLineItem.Tax[] =>
  computeTaxes(amount, rates, exemption).map((share) => ({
    amount: share.amount,
    tax_behavior: share.rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: share.rate.id },
    taxability_reason: REASONS[exemption ?? ''] ?? 'not_available',
    taxable_amount: share.taxable,
    type: 'tax_rate_details',
  }))

/** The totals of an invoice. `subtotal` contains inclusive taxes, `total` the exclusive ones too. */
export function sumInvoice(lines: readonly Stripe.InvoiceLineItem[]) {
  const totals = new Map<string, Stripe.Invoice.TotalTax>()
  for (const tax of lines.flatMap(({ taxes }) => taxes ?? [])) {
    const id = tax.tax_rate_details?.tax_rate ?? ''
    const known = totals.get(id)
    const taxable_amount = (known?.taxable_amount ?? 0) + (tax.taxable_amount ?? 0)
    totals.set(id, { ...tax, amount: (known?.amount ?? 0) + tax.amount, taxable_amount })
  }
  const total_taxes = [...totals.values()]
  const sumOf = (behavior: string) =>
    total_taxes.filter(({ tax_behavior }) => tax_behavior === behavior).reduce((sum, { amount }) => sum + amount, 0)
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const withoutTax = subtotal - sumOf('inclusive')
  const total = subtotal + sumOf('exclusive')
  return { subtotal, subtotal_excluding_tax: withoutTax, total, total_excluding_tax: withoutTax, total_taxes }
}
