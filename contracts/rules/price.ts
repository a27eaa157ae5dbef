import type { Open } from '#contracts/lib/unknown-values.ts'

export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const
export type TaxBehavior = Open<typeof TAX_BEHAVIORS>

/** How often a price recurs. */
export const INTERVALS = ['month', 'year'] as const
export type Interval = Open<typeof INTERVALS>

/** The discontinued 3-year plan in the price-increase message: 9.95 euro per year. */
export const LEGACY_THREE_YEAR = { unit_amount: 2985, months: 36, currency: 'eur' } as const

/** Currencies whose amounts have no minor unit at Stripe, and those with three digits; all others have two (docs.stripe.com/currencies). */
const WITHOUT_MINOR_UNIT = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'
const WITH_THREE_DIGITS = 'bhd jod kwd omr tnd'

/** The number of digits of the minor unit in amounts: 2 means that 100 minor units are one unit. Unknown currencies have 2. */
export function minorUnitDigits(currency: string) {
  const lists = (codes: string) => codes.split(' ').includes(currency.toLowerCase())
  if (lists(WITHOUT_MINOR_UNIT)) return 0
  return lists(WITH_THREE_DIGITS) ? 3 : 2
}

/** Stripe takes two digits for a forint, but pays out whole ones only; so it is charged and shown in whole ones. */
const IN_WHOLE_UNITS = ['huf']

/** The smallest amount that may be charged, of which every amount is a multiple, in minor units. */
export const chargeStep = (currency: string) => (IN_WHOLE_UNITS.includes(currency.toLowerCase()) ? 10 ** minorUnitDigits(currency) : 1)

/** Rounds minor units to an amount that can be charged. */
export const roundCharge = (minorUnits: number, currency: string) => Math.round(minorUnits / chargeStep(currency)) * chargeStep(currency)

/**
 * Formats minor units in a language; without a currency code only the number. Fractions of the smallest amount that can be charged are
 * rounded here and nowhere else.
 */
export function formatPrice(minorUnits: number, currency: string, locale: string) {
  const digits = chargeStep(currency) === 1 ? minorUnitDigits(currency) : 0
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const style = /^[a-z]{3}$/i.test(currency) ? ({ style: 'currency', currency } as const) : {}
  return new Intl.NumberFormat(locale, { ...style, ...decimals }).format(minorUnits / 10 ** minorUnitDigits(currency))
}

/** Minor units per month, unrounded; null without a duration. */
export const monthlyPrice = (unitAmount: number, months: number) => (months > 0 ? unitAmount / months : null)

/** The share that a plan saves per month compared with the most expensive plan. */
export const savedShare = (monthly: number, dearest: number) => (dearest > 0 ? 1 - monthly / dearest : 0)

/** Twelve times the monthly price in minor units, rounded once after the multiplication; null without a duration. */
export const yearlyPrice = (unitAmount: number, months: number) => (months > 0 ? Math.round((unitAmount * 12) / months) : null)

/** Parses a value of `meta_data` (months, extra): the provider sends "12" for 12; a missing or invalid one is 0. */
export const parseMetaNumber = (value: unknown): number => {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0
}

/** tax_behavior exclusive shows a note that tax is not included. */
export const hasTaxNote = (taxBehavior: TaxBehavior) => taxBehavior === 'exclusive'

export type Recurring = { interval: Interval; interval_count: number }
export type Period = { every: number; unit: Interval }

/** Splits months into years and remaining months; 0 and 0 means "no change". */
export const splitMonths = (months: number) => ({ years: Math.floor(months / 12), months: months % 12 })

/** The interval of a price for which the backend does not state whether it renews. */
export const UNKNOWN_INTERVAL = 'unknown'
/** Whether a price renews; null if its backend does not state it. */
export const isRenewing = (recurring: Recurring | null): boolean | null =>
  recurring?.interval === UNKNOWN_INTERVAL ? null : recurring !== null

/** How often a price recurs: whole years as years, otherwise months; null for a one-time price. */
export const billingPeriod = (recurring: Recurring | null): Period | null => {
  if (!recurring) return null
  const { interval, interval_count } = recurring
  const isWholeYears = interval === 'month' && interval_count % 12 === 0
  return isWholeYears ? { every: interval_count / 12, unit: 'year' } : { every: interval_count, unit: interval }
}
