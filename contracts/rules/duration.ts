import type { Interval } from '#contracts/lib/constants.ts'

export type Recurring = { interval: Interval; interval_count: number }
export type Period = { every: number; unit: Interval }

/** Splits months into years and remaining months; 0 and 0 means "no change". */
export const durationOf = (months: number) => ({ years: Math.floor(months / 12), months: months % 12 })

/** How often a price recurs: whole years as years, otherwise months; null for a one-time price. */
export const periodOf = (recurring: Recurring | null): Period | null => {
  if (!recurring) return null
  const { interval, interval_count } = recurring
  const isWholeYears = interval === 'month' && interval_count % 12 === 0
  return isWholeYears ? { every: interval_count / 12, unit: 'year' } : { every: interval_count, unit: interval }
}
