import type { TaxBehavior } from '#contracts/lib/constants.ts'

/** Formats minor units in a language. Fractions of a minor unit are rounded here and nowhere else. */
export const formatPrice = (minorUnits: number, currency: string, locale: string) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minorUnits / 100)

/** Only lower-case ISO codes of currencies with two decimals can be displayed by dividing by 100. */
export const isTwoDecimalCurrency = (currency: string) =>
  /^[a-z]{3}$/.test(currency) && new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2

/** Minor units per month, unrounded; null without a duration. */
export const perMonth = (unitAmount: number, months: number) => (months > 0 ? unitAmount / months : null)

/** Twelve times the monthly price in minor units, rounded once after the multiplication; null without a duration. */
export const yearlyPrice = (unitAmount: number, months: number) => (months > 0 ? Math.round((unitAmount * 12) / months) : null)

/** Parses a value of `meta_data` (months, extra): the provider sends "12" for 12; a missing or invalid one is 0. */
export const metaNumber = (value: unknown): number => {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0
}

/** tax_behavior exclusive shows a note that tax is not included. */
export const hasTaxNote = (taxBehavior: TaxBehavior) => taxBehavior === 'exclusive'
