import type { TaxBehavior } from '#contracts/lib/constants.ts'

/** Prices are divided by 100 for display and written in the reader's language; fractions of a minor unit are rounded here, once. */
export const formatPrice = (minorUnits: number, currency: string, locale: string) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minorUnits / 100)

/** Only lower-case ISO codes of currencies with two decimals can be shown by dividing by 100 (C-29). */
export const isTwoDecimalCurrency = (currency: string) =>
  /^[a-z]{3}$/.test(currency) && new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2

/** Minor units per month, exact; null without a duration (C-28). */
export const perMonth = (unitAmount: number, months: number) => (months > 0 ? unitAmount / months : null)

/** Per-month price times 12 in minor units, rounded once, after the multiplication (C-28); null without a duration. */
export const yearlyPrice = (unitAmount: number, months: number) => (months > 0 ? Math.round((unitAmount * 12) / months) : null)

/** A value of `meta_data` (months, extra): the provider sends "12" for 12; absent or unusable is 0. */
export const metaNumber = (value: unknown): number => {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0
}

/** tax_behavior exclusive shows a note that tax is not included. */
export const hasTaxNote = (taxBehavior: TaxBehavior) => taxBehavior === 'exclusive'
