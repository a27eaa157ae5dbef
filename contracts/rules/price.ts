import type { Currency } from '#contracts/lib/currencies.ts'
import type { Open } from '#contracts/lib/unknown-values.ts'

export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const
export type TaxBehavior = Open<typeof TAX_BEHAVIORS>

/** How often a price recurs. */
export const INTERVALS = ['month', 'year'] as const
export type Interval = Open<typeof INTERVALS>

/** The discontinued 3-year plan in the price-increase message: 9.95 euro per year. */
export const LEGACY_THREE_YEAR = { unit_amount: 2985, months: 36, currency: 'eur' } as const

/**
 * Formats minor units in a language; without a currency code only the number. Fractions of a minor unit are rounded here and nowhere else.
 */
export const formatPrice = (minorUnits: number, currency: string, locale: string) =>
  new Intl.NumberFormat(locale, /^[a-z]{3}$/i.test(currency) ? { style: 'currency', currency } : DECIMALS).format(minorUnits / 100)

const DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** Only currencies with two decimals can be displayed by dividing by 100; codes are lower-case ISO. */
export const isTwoDecimalCurrency = (currency: string) =>
  /^[a-z]{3}$/.test(currency) && new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2

const CURRENCY_BY_REGION: Record<string, Currency> = { US: 'usd', GB: 'gbp', GG: 'gbp', IM: 'gbp', JE: 'gbp', CH: 'chf', LI: 'chf' }

/**
 * The currency of the first region among languages such as `de-CH`, or the euro if nothing is sold in that currency; undefined without a
 * region.
 */
export function findLocalCurrency(languages: readonly string[]): Currency | undefined {
  const region = languages.map((tag) => tag.match(/[-_]([a-z]{2})$/i)?.[1]?.toUpperCase()).find((found) => found !== undefined)
  return region === undefined ? undefined : (CURRENCY_BY_REGION[region] ?? 'eur')
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
